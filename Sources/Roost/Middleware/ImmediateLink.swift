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

    func respond(to request: inout Request, with response: inout Response) throws -> WaitingResponder? {
        if let early = try middleware.before(&request) {
            response = try early.resolved(for: request, in: context)
            return nil
        }
        do {
            if let waiting = try inner.respond(to: &request, with: &response) { return waiting }
        } catch {
            try recover(from: error, in: request, with: &response)
            return nil
        }
        try leave(&response, to: request)
        return nil
    }

    func finish(_ response: inout Response, or failure: (any Error)?, to request: Request) throws {
        do {
            try inner.finish(&response, or: failure, to: request)
        } catch {
            return try recover(from: error, in: request, with: &response)
        }
        try leave(&response, to: request)
    }

    private func leave(_ response: inout Response, to request: Request) throws {
        try middleware.after(&response, to: request)
        try response.resolve(for: request, in: context)
    }

    private func recover(from error: any Error, in request: Request, with response: inout Response) throws {
        response = try middleware.recover(from: error, in: request).resolved(for: request, in: context)
    }
}
