public import HTTPTypes

extension Response {
    /// A value as JSON (RFC 8259).
    ///
    ///     return .json(user, status: .created, headers: [.location: Self.one.url(user.id)])
    ///
    /// It is written when the handler, or the middleware, has returned it; what JSON cannot hold is an error then.
    /// - Parameter headers: Fields to set besides `Content-Type`.
    public static func json(
        _ value: some Encodable & Sendable, status: HTTPResponse.Status = .ok, headers: Headers = [:]
    ) -> Response {
        Response(status, headers, deferred: JSON(value))
    }

    /// A page: a template's path below `Templates/`, without its suffix, and a struct with what it shows.
    ///
    ///     return .view("users/show", UserPage(user))
    ///
    /// It is rendered when the handler, or the middleware, has returned it; see ``View``.
    /// - Parameter headers: Fields to set besides `Content-Type`.
    public static func view(
        _ template: String, _ page: some Encodable & Sendable, status: HTTPResponse.Status = .ok, headers: Headers = [:]
    ) -> Response {
        Response(status, headers, deferred: View(template, page))
    }

    /// A page of a type that writes itself.
    public static func view(
        _ template: String, _ page: some TemplateData & Sendable, status: HTTPResponse.Status = .ok,
        headers: Headers = [:]
    ) -> Response {
        Response(status, headers, deferred: View(template, page))
    }

    /// A page of a type that writes itself, which is what is used when it could be encoded as well.
    public static func view(
        _ template: String,
        _ page: some TemplateData & Encodable & Sendable,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:]
    ) -> Response {
        Response(status, headers, deferred: View(template, page))
    }
}
