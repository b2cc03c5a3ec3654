/// A middleware of an ``ImmediateChain``, or what follows the chain.
protocol ImmediateStep: AnyObject, Sendable {
    /// Responds to a request, or gives what has to wait. After that has responded, ``finish(_:or:to:)`` does the rest.
    func respond(to request: inout Request, with response: inout Response) throws -> WaitingResponder?

    /// Changes a response that took waiting, or turns the error that it ended with into one. Gives what has to wait
    /// then, as ``respond(to:with:)`` does: a middleware's own response may be a page that takes waiting.
    /// - Parameter step: The step that waited; only those around it have something left to do.
    func finish(
        _ response: inout Response, or failure: (any Error)?, to request: Request, from step: any ImmediateStep
    ) throws -> WaitingResponder?
}

/// What follows a chain.
final class ImmediateEnd: ImmediateStep {
    private let next: any Responder

    init(_ next: any Responder) { self.next = next }

    func respond(to request: inout Request, with response: inout Response) throws -> WaitingResponder? {
        switch try next.respondWithoutWaiting(to: &request) {
        case .ready(let ready): response = ready
        case .waiting(let responder): return WaitingResponder(responder, of: self)
        }
        return nil
    }

    func finish(
        _ response: inout Response, or failure: (any Error)?, to request: Request, from step: any ImmediateStep
    ) throws -> WaitingResponder? {
        if let failure { throw failure }
        return nil
    }
}

/// A responder that has to wait, as one reference.
final class WaitingResponder: Sendable {
    let responder: any Responder
    /// The step whose response it makes.
    let step: any ImmediateStep

    init(_ responder: any Responder, of step: any ImmediateStep) {
        self.responder = responder
        self.step = step
    }
}
