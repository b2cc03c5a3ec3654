/// A middleware that never waits, and the steps within it.
final class ImmediateLink<Middleware: ImmediateMiddleware>: ImmediateStep {
    private let middleware: Middleware
    private let inner: any ImmediateStep
    private let context: ResponseContext

    init(_ middleware: Middleware, _ inner: any ImmediateStep, _ context: ResponseContext) {
        self.middleware = middleware
        self.inner = inner
        self.context = context
    }

    func respond(
        to request: inout Request, with response: inout Response, in chain: ImmediateChain
    ) throws -> WaitingResponder? {
        if let early = try middleware.before(&request) {
            response = early
            return try make(&response, for: request, in: chain)
        }
        do {
            if let waiting = try inner.respond(to: &request, with: &response, in: chain) { return waiting }
        } catch {
            return try recover(from: error, in: request, with: &response, in: chain)
        }
        return try leave(&response, to: request, in: chain)
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
            return try recover(from: error, in: request, with: &response, in: chain)
        }
        return try leave(&response, to: request, in: chain)
    }

    private func leave(
        _ response: inout Response, to request: Request, in chain: ImmediateChain
    ) throws -> WaitingResponder? {
        try middleware.after(&response, to: request)
        return try make(&response, for: request, in: chain)
    }

    private func recover(
        from error: any Error, in request: Request, with response: inout Response, in chain: ImmediateChain
    ) throws -> WaitingResponder? {
        response = try middleware.recover(from: error, in: request)
        return try make(&response, for: request, in: chain)
    }

    /// Makes the content of the response, or returns what makes it if that has to wait.
    @inline(__always)
    private func make(
        _ response: inout Response, for request: Request, in chain: ImmediateChain
    ) throws -> WaitingResponder? {
        guard let page = try response.resolve(for: request, in: context) else { return nil }
        return WaitingResponder(page, of: self, in: chain)
    }
}
