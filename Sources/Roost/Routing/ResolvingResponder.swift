/// A responder of the application, whose responses may have content that has not been made yet.
final class ResolvingResponder: Responder {
    private let responder: any Responder
    private let context: ResponseContext

    init(_ responder: any Responder, _ context: ResponseContext) {
        self.responder = responder
        self.context = context
    }

    func respond(to request: Request) async throws -> Response {
        try await responder.respond(to: request).completed(for: request, in: context)
    }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        switch try responder.respondWithoutWaiting(to: &request) {
        case .ready(let response): try response.ready(for: request, in: context)
        case .waiting(let responder): .waiting(ResolvingResponder(responder, context))
        }
    }
}
