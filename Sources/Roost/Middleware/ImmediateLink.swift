/// A middleware that never waits, and what follows it: when that does not wait either, neither do both.
final class ImmediateLink<Middleware: ImmediateMiddleware>: Responder {
    private let middleware: Middleware
    private let next: any Responder

    init(_ middleware: Middleware, _ next: any Responder) {
        self.middleware = middleware
        self.next = next
    }

    func respond(to request: Request) async throws -> Response { try await respondEitherWay(to: request) }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        if let response = try middleware.before(&request) { return .ready(response) }
        let said: ImmediateResponse
        do {
            said = try next.respondWithoutWaiting(to: &request)
        } catch {
            return .ready(try middleware.recover(from: error, in: request))
        }
        switch consume said {
        case .ready(var response):
            try middleware.after(&response, to: request)
            return .ready(response)
        case .waiting(let responder): return .waiting(Remainder(responder, middleware))
        }
    }

    /// What is left to do when what follows has to wait.
    private final class Remainder: Responder {
        private let next: any Responder
        private let middleware: Middleware

        init(_ next: any Responder, _ middleware: Middleware) {
            self.next = next
            self.middleware = middleware
        }

        func respond(to request: Request) async throws -> Response {
            var response: Response
            do {
                response = try await next.respond(to: request)
            } catch {
                return try middleware.recover(from: error, in: request)
            }
            try middleware.after(&response, to: request)
            return response
        }
    }
}
