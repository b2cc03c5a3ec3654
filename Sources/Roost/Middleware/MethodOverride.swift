import HTTPTypes

/// Lets a page's form send `PUT`, `PATCH` or `DELETE`, which HTML cannot: a `POST` of a form with a field `_method` is
/// handled as that method.
///
///     <form method="post" action="/nests/3"><input type="hidden" name="_method" value="delete"> … </form>
///
/// Place it behind ``CrossOriginProtection``, which then decides about the `POST` that was sent:
/// `Application.standardMiddleware() + [MethodOverride()]`. Only urlencoded forms of at most 16 KiB are looked at,
/// whose length the client has announced, as browsers do; a form with files is not.
public struct MethodOverride: LinkedMiddleware {
    /// The name of the field.
    public static let field = "_method"

    private static let maximumSize = 16 * 1024

    /// Middleware without options.
    public init() {}

    /// Passes the request on, with the method that its form asks for.
    /// - Throws: ``HTTPError`` with 400 for another method than the three.
    public func respond(to request: Request, next: Next) async throws -> Response {
        try await link(to: next.responder).respond(to: request)
    }

    func link(to next: any Responder) -> any Responder { Link(next) }

    /// Waits only for a form that is still coming.
    private final class Link: Responder {
        private let next: any Responder

        init(_ next: any Responder) { self.next = next }

        func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
            guard request.knownMethod == .post, let count = request.body.count, (1...maximumSize).contains(count),
                request.isTypedForm
            else { return try next.respondWithoutWaiting(to: &request) }
            guard request.bodyCountInMemory != nil else { return .waiting(self) }
            try MethodOverride.apply(to: &request)
            return try next.respondWithoutWaiting(to: &request)
        }

        func respond(to request: Request) async throws -> Response {
            var request = try await request.collected(upTo: maximumSize)
            switch try respondWithoutWaiting(to: &request) {
            case .ready(let response): return response
            case .waiting(let responder): return try await responder.respond(to: request)
            }
        }
    }

    private static func apply(to request: inout Request) throws {
        guard let name = try request.body.withBytes({ Form(urlEncoded: $0)[field] }) else { return }
        switch name.lowercased() {
        case "put": request.method = .put
        case "patch": request.method = .patch
        case "delete": request.method = .delete
        case "post": break
        default: throw HTTPError(.badRequest, "A form's \(field) must be put, patch or delete.")
        }
    }
}
