/// A middleware that never waits, and what follows it. If what follows does not wait either, the pair does not.
final class ImmediateLink<Middleware: ImmediateMiddleware>: Responder {
    private let middleware: Middleware
    private let next: any Responder
    private let context: ResponseContext

    init(_ middleware: Middleware, _ next: any Responder, _ context: ResponseContext) {
        self.middleware = middleware
        self.next = next
        self.context = context
    }

    func respond(to request: Request) async throws -> Response { try await respondEitherWay(to: request) }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        if let response = try middleware.before(&request) {
            return .ready(try response.resolved(for: request, in: context))
        }
        let said: ImmediateResponse
        do {
            said = try next.respondWithoutWaiting(to: &request)
        } catch {
            return .ready(try response(to: error, in: request))
        }
        switch consume said {
        case .ready(var response):
            try finish(&response, to: request)
            return .ready(response)
        case .waiting(let responder): return .waiting(Remainder(responder, self))
        }
    }

    private func finish(_ response: inout Response, to request: Request) throws {
        try middleware.after(&response, to: request)
        try response.resolve(for: request, in: context)
    }

    private func response(to error: any Error, in request: Request) throws -> Response {
        try middleware.recover(from: error, in: request).resolved(for: request, in: context)
    }

    /// What is left to do when what follows has to wait.
    private final class Remainder: Responder {
        private let next: any Responder
        private let link: ImmediateLink

        init(_ next: any Responder, _ link: ImmediateLink) {
            self.next = next
            self.link = link
        }

        func respond(to request: Request) async throws -> Response {
            var response: Response
            do {
                response = try await next.respond(to: request)
            } catch {
                return try link.response(to: error, in: request)
            }
            try link.finish(&response, to: request)
            return response
        }
    }
}
