/// A middleware of an ``ImmediateChain``, or what follows the chain.
protocol ImmediateStep: AnyObject, Sendable {
    /// Responds to a request, or gives what has to wait. After that has responded, ``finish(_:or:to:)`` does the rest.
    func respond(
        to request: inout Request, with response: inout Response, in chain: ImmediateChain
    ) throws -> WaitingResponder?

    /// Changes a response that took waiting, or turns the error that it ended with into one. Gives what has to wait
    /// then, as ``respond(to:with:)`` does: a middleware's own response may be a page that takes waiting.
    /// - Parameter step: The step that waited; only those around it have something left to do.
    func finish(
        _ response: inout Response, or failure: (any Error)?, to request: Request, from step: any ImmediateStep,
        in chain: ImmediateChain
    ) throws -> WaitingResponder?
}
