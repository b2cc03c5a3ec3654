import Roost
import Synchronization

/// An application that serves its clients: a server in this process and one over TCP, each made when a client asks for
/// it. All clients share them as long as one of them is there, so that services start and stop once. They start when
/// those of the one before have stopped.
final class ServedApplication: Sendable {
    let visits: VisitResponder
    let inProcess: Made<InProcessServer>
    let overTCP: Made<TestHTTPServer>

    private init(_ application: Application, after previous: Latch?, _ turn: ServiceTurn) {
        let visits = VisitResponder(application)
        self.visits = visits
        inProcess = Made {
            await previous?.wait()
            return try await InProcessServer(
                application.configuration, visits, services: application.services.map(ByHand.service),
                metrics: application.metrics, logger: application.logger, turn: turn)
        }
        overTCP = Made {
            await previous?.wait()
            return try await TestHTTPServer(application, visits, turn)
        }
    }

    /// The one that other clients of the application have, or a new one.
    static func of(_ application: Application) -> ServedApplication {
        application.serverPlace.value { previous in
            let turn = ServiceTurn()
            return (ServedApplication(application, after: previous, turn), leaves: turn.end)
        }
    }
}

/// A turn of an application's services. It lasts until nobody has it any more, neither the clients nor a server that is
/// still stopping the services.
package final class ServiceTurn: Sendable {
    /// Tells that it is over.
    let end = Latch()

    deinit { end.open() }
}

/// A server that can be stopped.
protocol StoppableServer: Sendable {
    func stop() async throws
}

extension InProcessServer: StoppableServer {}
extension TestHTTPServer: StoppableServer {}

/// A server that is made when somebody asks for it, and once.
struct Made<Value: StoppableServer>: ~Copyable, Sendable {
    private let make: @Sendable () async throws -> Value
    private let task = Mutex<Task<Value, any Error>?>(nil)
    private let isStopped = Atomic(false)

    init(_ make: @escaping @Sendable () async throws -> Value) { self.make = make }

    /// The server.
    /// - Throws: The error with which it does not start; the next one who asks tries again.
    ///   ``WireClientError/cannotConnect(to:reason:)`` when it has been stopped.
    func server() async throws -> Value {
        if isStopped.load(ordering: .relaxed) { throw WireClientError.stopped }
        return try await started()
    }

    /// Stops the server, which nobody gets after that.
    func stop() async throws {
        let server = try await started()
        defer { isStopped.store(true, ordering: .relaxed) }
        try await server.stop()
    }

    private func started() async throws -> Value {
        let make = make
        let task = task.withLock { task in
            if let task { return task }
            let new = Task { try await make() }
            task = new
            return new
        }
        do {
            return try await task.value
        } catch {
            self.task.withLock { kept in
                if kept == task { kept = nil }
            }
            throw error
        }
    }
}

extension WireClientError {
    /// The error for whoever asks for something of a server of this process that has been stopped.
    static let stopped = WireClientError.cannotConnect(
        to: "the server of this process", reason: "it has been stopped")
}
