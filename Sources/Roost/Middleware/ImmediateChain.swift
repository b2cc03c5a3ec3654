/// Middleware that never waits before what follows it, and what follows. If that does not wait either, nor does the
/// chain.
///
/// The response stays in one place while one middleware after the other changes it, from the inside out.
final class ImmediateChain: Responder {
    private let outermost: any ImmediateStep

    init(_ outermost: any ImmediateStep) { self.outermost = outermost }

    func respond(to request: Request) async throws -> Response { try await respondEitherWay(to: request) }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        var response = Response()
        if let waiting = try outermost.respond(to: &request, with: &response, in: self) { return .waiting(waiting) }
        return .ready(response)
    }

    /// Does what is left to do after a responder that had to wait.
    func finish(
        _ response: inout Response, or failure: (any Error)?, to request: Request, from step: any ImmediateStep
    ) throws -> WaitingResponder? {
        try outermost.finish(&response, or: failure, to: request, from: step, in: self)
    }
}
