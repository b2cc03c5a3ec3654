/// Adds the time of a part of the way, such as the routes, to a request's timeline. It stands before that part only
/// where the window of development shows the program.
final class TimedStep: Responder {
    private let kind: StepKind
    private let text: String
    private let next: any Responder

    init(_ next: any Responder, _ kind: StepKind = .handler, _ text: String = "Routes, with the middleware of groups") {
        self.kind = kind
        self.text = text
        self.next = next
    }

    func respond(to request: Request) async throws -> Response { try await respondEitherWay(to: request) }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        guard let step = Timelines.current?.begin(kind, text) else {
            return try next.respondWithoutWaiting(to: &request)
        }
        do {
            switch try next.respondWithoutWaiting(to: &request) {
            case .ready(let response):
                step.end()
                return .ready(response)
            case .waiting(let responder):
                return .waiting(
                    WaitingResponder { request in
                        do {
                            let response = try await responder.respond(to: request)
                            step.end()
                            return response
                        } catch {
                            step.end(error)
                            throw error
                        }
                    })
            }
        } catch {
            step.end(error)
            throw error
        }
    }
}

extension [any Middleware] {
    /// The routes with this middleware around them, the outermost first, each as a step of its own: for development.
    func aroundWithSteps(_ routes: any Responder, in context: ResponseContext) -> any Responder {
        reversed().reduce(TimedStep(routes) as any Responder) { next, middleware in
            TimedStep([middleware].around(next, in: context), .middleware, "\(type(of: middleware))")
        }
    }
}
