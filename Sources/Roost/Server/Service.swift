package import Logging

/// A part of an application that runs while it serves: a pool of database connections, a job that runs now and then.
///
///     /// Keeps the newest of the prices that come in.
///     actor PriceFeed: Service {
///         private let prices: AsyncStream<Int>
///         private(set) var newest: Int?
///         private var work: Task<Void, Never>?
///
///         init(_ prices: AsyncStream<Int>) { self.prices = prices }
///
///         func start() {
///             work = Task { for await price in prices { newest = price } }
///         }
///
///         func stop() async {
///             work?.cancel()
///             await work?.value
///         }
///     }
///
///     let feed = PriceFeed(prices)
///     let app = try Application(services: [feed]) { routes in … }
///
/// Both functions run on the server's first event loop (``EventLoop/current``). Services start in the order given,
/// before the server listens, and stop in reverse order, after the last connection has ended. ``RoostTesting`` runs
/// them too.
public protocol Service: Sendable {
    /// Gets ready, and returns when requests may come. Work that goes on while the application serves belongs in a
    /// `Task`, which ``stop()`` cancels.
    /// - Throws: Any error that keeps it from starting: services that have already started are then stopped, and the
    ///   program ends with this error.
    func start() async throws

    /// Releases everything, and returns when that is done.
    func stop() async
}

/// A service that works by itself while the application serves, and in a test only when that says so.
package protocol BackgroundService: Service {
    /// Gets ready, in a test, without working by itself.
    func startByHand() async throws

    /// Does all work that is due, in a test; returns how much that was.
    /// - Throws: An error that names the work that failed.
    func runDue() async throws -> Int

    /// The server has begun to drain: begin nothing more.
    func serverDrains()
}

/// A service that finds mistakes of its start without starting, for the command `check`.
package protocol StartChecking: Service {
    /// Looks for the mistakes, and changes nothing.
    /// - Throws: The error with which the start would end.
    func checkStart() throws
}

/// The services of an application, after they have started.
package struct RunningServices: Sendable {
    private var started: [any Service] = []
    private let loop: EventLoop

    /// Starts services one after the other on a loop.
    /// - Parameter patience: The time after which a service that has not started is named in the log.
    /// - Throws: The first error of a service; those that have started before it are then stopped.
    package init(
        _ services: [any Service], on loop: EventLoop, patience: Duration = .seconds(10),
        logger: Logger = .current(or: "roost")
    ) async throws {
        self.loop = loop
        for service in services {
            // Elsewhere, since a service may block the loop.
            let watch = Task {
                try await Task.sleep(for: patience)
                logger.warning(
                    """
                    The service \(type(of: service)) has not started for \(patience): nothing is served until its \
                    start() returns. If it never returns: what goes on while the application serves belongs in a Task.
                    """)
            }
            defer { watch.cancel() }
            do {
                try await Task(executorPreference: loop) { try await service.start() }.value
            } catch {
                await stop()
                throw error
            }
            started.append(service)
        }
    }

    /// Tells those that work in the background that the server has begun to drain.
    package func serverDrains() {
        for service in started { (service as? any BackgroundService)?.serverDrains() }
    }

    /// Stops them in reverse order.
    package func stop() async {
        for service in started.reversed() {
            await Task(executorPreference: loop) { await service.stop() }.value
        }
    }
}
