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
        if let waiting = try outermost.respond(to: &request, with: &response) {
            return .waiting(Remainder(waiting, outermost))
        }
        return .ready(response)
    }

    /// What is left to do when what follows has to wait.
    private final class Remainder: Responder {
        private let first: WaitingResponder
        private let outermost: any ImmediateStep

        init(_ first: WaitingResponder, _ outermost: any ImmediateStep) {
            self.first = first
            self.outermost = outermost
        }

        func respond(to request: Request) async throws -> Response {
            var response = Response()
            var waiting: WaitingResponder? = first
            while let current = waiting {
                var failure: (any Error)?
                do {
                    response = try await current.responder.respond(to: request)
                } catch {
                    failure = error
                }
                waiting = try outermost.finish(&response, or: failure, to: request, from: current.step)
            }
            return response
        }
    }
}
