public import HTTPTypes

/// A page as a value: the name of a template, and a struct with what it shows.
///
///     return View("users/show", UserPage(user))
public struct View: ResponseConvertible {
    /// The template's path below `Templates/`, without its suffix.
    public let template: String
    /// The response's status.
    public var status: HTTPResponse.Status
    /// Fields to set besides `Content-Type`.
    public var headers: Headers
    let render: @Sendable (Templates, TemplateReview?) throws -> [UInt8]

    /// A page of any encodable struct.
    public init(
        _ template: String, _ page: some Encodable & Sendable, status: HTTPResponse.Status = .ok, headers: Headers = [:]
    ) {
        self.init(template, status, headers) { try $0.render(template, page, review: $1) }
    }

    /// A page whose type writes itself.
    public init(
        _ template: String, _ page: some TemplateData & Sendable, status: HTTPResponse.Status = .ok,
        headers: Headers = [:]
    ) {
        self.init(template, status, headers) { try $0.render(template, data: page, review: $1) }
    }

    /// A page whose type writes itself; preferred when the type is also encodable.
    public init(
        _ template: String,
        _ page: some TemplateData & Encodable & Sendable,
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:]
    ) {
        self.init(template, status, headers) { try $0.render(template, data: page, review: $1) }
    }

    private init(
        _ template: String,
        _ status: HTTPResponse.Status,
        _ headers: Headers,
        _ render: @escaping @Sendable (Templates, TemplateReview?) throws -> [UInt8]
    ) {
        self.template = template
        self.status = status
        self.headers = headers
        self.render = render
    }

    /// The rendered template as `text/html`.
    public func response(for request: Request, in context: ResponseContext) throws -> Response {
        guard let templates = context.templates else {
            throw ConfigurationMistake("The view \(template) needs templates; pass them to Application(templates:).")
        }
        return try response(templates)
    }

    /// The rendered template as `text/html`, outside a handler, as for an error page.
    public func response(_ templates: Templates) throws -> Response {
        var response = Response(status, headers: headers, body: Body(try render(templates, nil)))
        response.headers[.contentType] = "text/html; charset=utf-8"
        return response
    }
}
