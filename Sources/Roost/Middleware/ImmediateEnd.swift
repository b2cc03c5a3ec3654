/// The last step of a chain, which passes the request to the responder behind it.
final class ImmediateEnd: ImmediateStep {
    private let next: any Responder

    init(_ next: any Responder) { self.next = next }

    func respond(
        to request: inout Request, with response: inout Response, in chain: ImmediateChain
    ) throws -> WaitingResponder? {
        switch try next.respondWithoutWaiting(to: &request) {
        case .ready(let ready): response = ready
        case .waiting(let responder): return WaitingResponder(responder, of: self, in: chain)
        }
        return nil
    }

    func finish(
        _ response: inout Response, or failure: (any Error)?, to request: Request, from step: any ImmediateStep,
        in chain: ImmediateChain
    ) throws -> WaitingResponder? {
        if let failure { throw failure }
        return nil
    }
}
