/// ``Sessions`` as a step of a chain. A response that is ready without waiting passes unchanged: nobody can have asked
/// for the session, since that takes waiting.
final class SessionsStep: ImmediateStep {
    private let isHTTPS: Bool
    private let sessions, sessionsOverHTTPS: Sessions
    private let source, sourceOverHTTPS: SessionSource
    private let inner: any ImmediateStep

    init(_ sessions: Sessions, _ inner: any ImmediateStep) {
        isHTTPS = sessions.isHTTPS
        self.sessions = sessions.overHTTPS(false)
        sessionsOverHTTPS = sessions.overHTTPS(true)
        source = self.sessions.source
        sourceOverHTTPS = sessionsOverHTTPS.source
        self.inner = inner
    }

    func respond(
        to request: inout Request, with response: inout Response, in chain: ImmediateChain
    ) throws -> WaitingResponder? {
        let source = request.isHTTPS(orElse: isHTTPS) ? sourceOverHTTPS : source
        request[Visit.Key.self] = Visit(source, of: self, inside: request[Visit.Key.self])
        return try inner.respond(to: &request, with: &response, in: chain)
    }

    func finish(
        _ response: inout Response, or failure: (any Error)?, to request: Request, from step: any ImmediateStep,
        in chain: ImmediateChain
    ) throws -> WaitingResponder? {
        if step === self {
            if let failure { throw failure }
            return nil
        }
        do {
            let waiting = try inner.finish(&response, or: failure, to: request, from: step, in: chain)
            if let waiting { return waiting }
        } catch {
            guard let session = request[Visit.Key.self]?.of(self)?.known else { throw error }
            return WaitingResponder(Keeper(sessions(of: request), session, .failure(error)), of: self, in: chain)
        }
        guard let session = request[Visit.Key.self]?.of(self)?.known else { return nil }
        let sessions = sessions(of: request)
        sessions.endWithSession(&response.body, session.snapshot)
        // Most requests of a session change nothing in it.
        if sessions.keepUnchanged(session.snapshot, response.status, in: &response.headers) { return nil }
        return WaitingResponder(Keeper(sessions, session, .success(response)), of: self, in: chain)
    }

    private func sessions(of request: Request) -> Sessions {
        request.isHTTPS(orElse: isHTTPS) ? sessionsOverHTTPS : sessions
    }

    /// Saves what a request has changed in its session, and passes the response or the error on.
    private final class Keeper: Responder {
        private let sessions: Sessions
        private let session: Session
        private let result: Result<Response, any Error>

        init(_ sessions: Sessions, _ session: Session, _ result: Result<Response, any Error>) {
            self.sessions = sessions
            self.session = session
            self.result = result
        }

        func respond(to request: Request) async throws -> Response {
            switch result {
            case .success(let response):
                return try await sessions.kept(session.snapshot, for: request, response)
            case .failure(let error):
                throw await sessions.kept(session.snapshot, for: request, error)
            }
        }
    }
}
