/// Adds the time of the routes to a request's timeline. It stands before them in development only.
final class HandlerStep: Responder {
    private let next: any Responder

    init(_ next: any Responder) { self.next = next }

    func respond(to request: Request) async throws -> Response { try await respondEitherWay(to: request) }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        guard let step = Timelines.current?.begin(.handler, "Routes, with the middleware of groups") else {
            return try next.respondWithoutWaiting(to: &request)
        }
        do {
            switch try next.respondWithoutWaiting(to: &request) {
            case .ready(let response):
                step.end()
                return .ready(response)
            case .waiting(let responder): return .waiting(Rest(step, responder))
            }
        } catch {
            step.end(error)
            throw error
        }
    }

    func serverChanged(to phase: ServerPhase) { next.serverChanged(to: phase) }

    /// A handler that waits.
    private final class Rest: Responder {
        private let step: OpenStep
        private let next: any Responder

        init(_ step: OpenStep, _ next: any Responder) {
            self.step = step
            self.next = next
        }

        func respond(to request: Request) async throws -> Response {
            do {
                let response = try await next.respond(to: request)
                step.end()
                return response
            } catch {
                step.end(error)
                throw error
            }
        }
    }
}
