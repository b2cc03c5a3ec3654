public import HTTPTypes

/// A page as a value: the name of a template, and a struct with what it shows.
///
///     return View("users/show", UserPage(user))
public struct View: ResponseConvertible {
    /// The template's path below `Templates/`, without its suffix.
    public let template: String
    /// The response's status.
    public var status: HTTPResponse.Status
    /// Fields to set; a `Content-Type` among them takes the place of the usual one.
    public var headers: Headers
    /// Makes the bytes from the values that every page has; with a sample, also notes what is shown.
    let render:
        @Sendable (Templates, (any Encodable & Sendable)?, TemplateReview?, LiveElement?, () -> MessageTable?) throws ->
            [UInt8]

    /// A page of any encodable struct, or of none: `View("about")`.
    public init(
        _ template: String, _ page: some Encodable & Sendable = [:] as [String: String],
        status: HTTPResponse.Status = .ok, headers: Headers = [:]
    ) {
        self.template = template
        self.status = status
        self.headers = headers
        render = { templates, values, review, live, messages in
            try templates.render(
                template, page, over: values, review: review, liveScript: live, messages: messages())
        }
    }

    /// The rendered template, in UTF-8, without the values that every page of an application has.
    /// - Parameter messages: The language and the time zone; nil for English and UTC.
    package func rendered(by templates: Templates, in messages: MessageTable? = nil) throws -> [UInt8] {
        try render(templates, nil, nil, nil) { messages }
    }

    /// The rendered template as `text/html`, or as `text/plain` if its name ends in `.txt`. If the application has
    /// `pageValues`, which may have to wait, it is rendered after this has returned.
    public func response(for request: Request, in context: ResponseContext) throws -> Response {
        if context.pageValues != nil { return Response(status, headers, deferred: .page(self)) }
        var response = Response(status, headers: headers)
        try show(in: &response, of: request, context, over: nil)
        return response
    }

    /// The rendered template, with the values that every page of the application has.
    func rendered(for request: Request, in context: ResponseContext) async throws -> [UInt8] {
        try bytes(of: request, context, over: await context.pageValues?(request))
    }

    /// Makes the rendered template the content of a response.
    /// - Parameter values: The values that every page shows beside its own.
    func show(
        in response: inout Response, of request: Request, _ context: ResponseContext,
        over values: (any Encodable & Sendable)?
    ) throws {
        response.body = Body(try bytes(of: request, context, over: values))
        let type =
            headers[.contentType]
            ?? (Templates.isText(template) ? "text/plain; charset=utf-8" : "text/html; charset=utf-8")
        if response.headers.isEmpty {
            response.headers = Headers(contentType: type)
        } else {
            response.headers[.contentType] = type
        }
    }

    private func bytes(
        of request: Request, _ context: ResponseContext, over values: (any Encodable & Sendable)?
    ) throws -> [UInt8] {
        guard let templates = context.templates else {
            throw StartError.configuration(
                "The view \(template) needs templates; pass them to Application(templates:).")
        }
        let step = Timelines.begin(.template, template, span: "template \(template)")
        do {
            let bytes = try render(templates, values, nil, LiveElement(of: request, in: context)) { request.messages }
            step?.end()
            return bytes
        } catch {
            step?.end(error)
            throw error
        }
    }
}

/// The key under which a request of a live page carries its position.
enum LivePositionKey: RequestKey { typealias Value = LivePosition }

extension LiveElement {
    /// The element for a page; nil in an application without live pages.
    fileprivate init?(of request: Request, in context: ResponseContext) {
        guard let path = context.liveScript else { return nil }
        self.init(path: path, position: request[LivePositionKey.self])
    }
}
