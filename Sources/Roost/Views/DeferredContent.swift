/// What a response shows, before it has been made: that takes the application's templates and its way to write JSON,
/// which whoever makes the response need not have at hand.
final class DeferredContent: Sendable {
    private let source: any ResponseConvertible

    init(_ source: some ResponseConvertible) { self.source = source }

    /// The content, and the fields that tell of it.
    func made(for request: Request, in context: ResponseContext) throws -> Response {
        try source.response(for: request, in: context)
    }
}

extension Response {
    /// A response of a status and fields of its own, whose content is made when it leaves the one who has made it.
    init(_ status: HTTPResponse.Status, _ headers: Headers, deferred source: some ResponseConvertible) {
        self.init(status, headers: headers, body: Body(deferred: DeferredContent(source)))
    }

    /// The response with its content made.
    /// - Throws: What making it throws, such as a ``TemplateError``.
    @inline(__always)
    func resolved(for request: Request, in context: ResponseContext) throws -> Response {
        guard let deferred = body.deferred else { return self }
        return try resolved(deferred, for: request, in: context)
    }

    @inline(never)
    private func resolved(_ deferred: AnyObject, for request: Request, in context: ResponseContext) throws -> Response {
        guard let content = deferred as? DeferredContent else { return self }
        var response = self
        let made = try content.made(for: request, in: context)
        response.body = made.body
        for field in made.headers.list where field.name == .contentType || !headers.contains(field.name) {
            response.headers[field.name] = field.value
        }
        return response
    }
}
