public import HTTPTypes

extension Response {
    /// A response with a value as JSON (RFC 8259).
    ///
    ///     return .json(user, status: .created, headers: [.location: Self.one.url(user.id)])
    ///
    /// The JSON is written after the handler or the middleware has returned it, so an error about a value that JSON
    /// cannot hold is thrown then, not here.
    /// - Parameters:
    ///   - headers: Fields to set; a `Content-Type` among them, such as `application/vnd.api+json`, takes the place of
    ///     `application/json`.
    ///   - coder: The coder that writes the value; nil for the request's (``Request/jsonCoder``).
    public static func json(
        _ value: some Encodable & Sendable, status: HTTPResponse.Status = .ok, headers: Headers = [:],
        using coder: JSONCoder? = nil
    ) -> Response {
        let type = headers.only(.contentType)
        let json = coder.map { JSON(value, headers: type, using: $0) } ?? JSON(value, headers: type)
        return Response(status, headers, deferred: .made { try json.response(for: $0, in: $1) })
    }

    /// A response with a page: a template's path below `Templates/`, without its suffix, and a struct with what it
    /// shows.
    ///
    ///     return .view("users/show", UserPage(user))
    ///
    /// It is rendered after the handler or the middleware has returned it, so errors of the template are thrown then,
    /// not here. See ``View``.
    /// - Parameter headers: Fields to set; a `Content-Type` among them takes the place of `text/html`.
    public static func view(
        _ template: String, _ page: some Encodable & Sendable, status: HTTPResponse.Status = .ok, headers: Headers = [:]
    ) -> Response {
        Response(status, headers, deferred: .page(View(template, page, headers: headers.only(.contentType))))
    }
}
