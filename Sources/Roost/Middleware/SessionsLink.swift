/// ``Sessions``, and what follows it. A response that is ready without waiting passes unchanged: nobody can have asked
/// for the session, since that takes waiting.
final class SessionsLink: Responder {
    private let sessions: Sessions
    private let next: any Responder

    init(_ sessions: Sessions, _ next: any Responder) {
        self.sessions = sessions
        self.next = next
    }

    func respond(to request: Request) async throws -> Response { try await respondEitherWay(to: request) }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        let sessions = request.isHTTPS ? sessions.overHTTPS : sessions
        let visit = sessions.visit()
        request[Visit.Key.self] = visit
        switch try next.respondWithoutWaiting(to: &request) {
        case .ready(let response): return .ready(response)
        case .waiting(let responder): return .waiting(Remainder(responder, sessions, visit))
        }
    }

    /// What is left to do when what follows has to wait.
    private final class Remainder: Responder {
        private let next: any Responder
        private let sessions: Sessions
        private let visit: Visit

        init(_ next: any Responder, _ sessions: Sessions, _ visit: Visit) {
            self.next = next
            self.sessions = sessions
            self.visit = visit
        }

        func respond(to request: Request) async throws -> Response {
            let response: Response
            do {
                response = try await next.respond(to: request)
            } catch {
                throw await kept(error, for: request)
            }
            return visit.known == nil ? response : try await kept(response, for: request)
        }

        private func kept(_ response: Response, for request: Request) async throws -> Response {
            guard let session = visit.known else { return response }
            var response = response
            try await sessions.keep(session.snapshot, for: request, response.status, in: &response.headers)
            return response
        }

        private func kept(_ error: any Error, for request: Request) async -> any Error {
            guard let session = visit.known else { return error }
            return await sessions.kept(session.snapshot, for: request, error)
        }
    }
}
