/// A responder of a chain that has to wait, and then the rest of the chain, as one reference.
final class WaitingResponder: Responder {
    private let responder: any Responder
    /// The step whose response it makes.
    private let step: any ImmediateStep
    private let chain: ImmediateChain

    init(_ responder: any Responder, of step: any ImmediateStep, in chain: ImmediateChain) {
        self.responder = responder
        self.step = step
        self.chain = chain
    }

    func respond(to request: Request) async throws -> Response {
        var response = Response()
        var waiting = self
        while true {
            var failure: (any Error)?
            do {
                response = try await waiting.responder.respond(to: request)
            } catch {
                failure = error
            }
            guard let next = try chain.finish(&response, or: failure, to: request, from: waiting.step) else {
                return response
            }
            waiting = next
        }
    }
}
