import Roost
import Synchronization

/// The responder of an application under test: the application's own, but for the visits of its clients
/// (``TestClient/visit(_:)``), which pass through the same middleware and end in a function of the test.
final class VisitResponder: Responder {
    private let application: Application
    private let visits = Mutex<[String: any Responder]>([:])

    init(_ application: Application) { self.application = application }

    /// Expects a request for a path that nothing else has, and returns that path.
    func expect(_ visit: Visit) -> String {
        let path = "/\(UUID().uuidString)"
        let responder = application.around(visit)
        visits.withLock { $0[path] = responder }
        return path
    }

    /// Expects no such request any more.
    func forget(_ path: String) { visits.withLock { $0[path] = nil } }

    func respond(to request: Request) async throws -> Response {
        try await responder(for: request).respond(to: request)
    }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        try responder(for: request).respondWithoutWaiting(to: &request)
    }

    func serverChanged(to phase: ServerPhase) { application.responder.serverChanged(to: phase) }

    private func responder(for request: Request) -> any Responder {
        visits.withLock { $0.isEmpty ? nil : $0[request.path] } ?? application.responder
    }
}

/// One request that a function of a test responds to, and what became of it.
final class Visit: Responder {
    private let handler: @Sendable (Request) async throws -> Response
    private let known = Mutex<Result<Void, any Error>?>(nil)

    init(_ handler: @escaping @Sendable (Request) async throws -> Response) { self.handler = handler }

    /// The function's success or error; nil if it was not called.
    var result: Result<Void, any Error>? { known.withLock { $0 } }

    func respond(to request: Request) async throws -> Response {
        do {
            let response = try await handler(request)
            known.withLock { $0 = .success(()) }
            return response
        } catch {
            known.withLock { $0 = .failure(error) }
            throw error
        }
    }
}

extension TestClient {
    /// Sends a `GET` to which a function responds in place of the routes, behind the application's middleware: the
    /// client keeps the cookies of its response, and with them the session that the function has changed.
    /// - Throws: The error of the function; ``UnexpectedResponse`` when a middleware did not let the request pass, or
    ///   when the response is an error.
    public func visit(_ respond: @escaping @Sendable (Request) async throws -> Response) async throws {
        let visit = Visit(respond)
        let path = visits.expect(visit)
        defer { visits.forget(path) }
        let response = try await request(.get, path)
        guard let result = visit.result else { throw UnexpectedResponse(response, Failure.notReached) }
        try result.get()
        guard response.status.code < 400 else { throw UnexpectedResponse(response, Failure.refused) }
    }

    private enum Failure: String, Error, CustomStringConvertible {
        case notReached = "A middleware of the application did not let the visit pass."
        case refused = "The visit was refused."

        var description: String { rawValue }
    }
}
