import HTTPTypes

/// Middleware that lets a page's form send `PUT`, `PATCH` or `DELETE`, which HTML cannot: a `POST` of a form to a URL
/// with `_method` in its query is handled as that method.
///
///     <form method="post" action="/nests/3?_method=delete"> … </form>
///
/// Place it behind ``CrossOriginProtection``, which then decides about the `POST` that was sent:
/// `Application.standardMiddleware() + [MethodOverride()]`.
public struct MethodOverride: Filter {
    /// The name in the query.
    static let name = "_method"

    /// Middleware without options.
    public init() {}

    /// Gives the request the method that its form asks for.
    /// - Throws: ``HTTPError`` with 400 for another method than the three.
    public func before(_ request: inout Request) throws -> Response? {
        guard request.knownMethod == .post, request.isForm, let method = request.query[Self.name] else { return nil }
        switch method.lowercased() {
        case "put": request.method = .put
        case "patch": request.method = .patch
        case "delete": request.method = .delete
        case "post": break
        default: throw HTTPError(.badRequest, "A form's _method must be put, patch or delete.")
        }
        return nil
    }
}
