/// Content of a response that has not been made yet. Making it takes the application's templates and its way of writing
/// JSON, which the code that returns the response need not have at hand.
final class DeferredContent: Sendable {
    /// Makes the response to use instead when this content cannot be made.
    typealias Fallback = @Sendable (any Error) -> Response

    /// The value that the content is made of, unless that is a page (`view`).
    private let source: (any ResponseConvertible)?
    private let view: View?
    private let fallback: Fallback?

    init(_ source: some ResponseConvertible) {
        self.source = source
        view = nil
        fallback = nil
    }

    init(_ view: View) {
        source = nil
        self.view = view
        fallback = nil
    }

    private init(_ content: DeferredContent, or fallback: @escaping Fallback) {
        source = content.source
        view = content.view
        self.fallback = fallback
    }

    /// The same content, with a response to use instead when it cannot be made.
    func or(_ fallback: @escaping Fallback) -> DeferredContent { DeferredContent(self, or: fallback) }

    /// Whether making it has to wait, for the values that every page shows.
    func waits(in context: ResponseContext) -> Bool { context.pageValues != nil && view != nil }

    /// Makes the content of a response, and sets the fields that describe it.
    func make(_ response: inout Response, for request: Request, in context: ResponseContext) throws {
        do {
            if let source {
                response.take(try source.response(for: request, in: context))
            } else {
                try show(in: &response, context, over: nil)
            }
        } catch {
            response.take(try instead(of: error))
        }
    }

    /// A response with the content, after waiting for the values that every page shows.
    func completed(
        _ unmade: consuming Response, for request: Request, in context: ResponseContext
    ) async throws -> Response {
        var response = unmade
        guard let pageValues = context.pageValues, view != nil else {
            try make(&response, for: request, in: context)
            return response
        }
        do {
            try show(in: &response, context, over: try await pageValues(request))
        } catch {
            response.take(try instead(of: error))
        }
        return response
    }

    private func show(
        in response: inout Response, _ context: ResponseContext, over values: (any Encodable & Sendable)?
    ) throws {
        guard let view else { return }
        response.body = try view.page(in: context, over: values)
        response.headers[.contentType] = view.contentType
    }

    private func instead(of error: any Error) throws -> Response {
        guard let fallback, !error.endsCancelledTask else { throw error }
        return fallback(error)
    }
}

extension Response {
    /// The response; if its content is not made yet and cannot be, with the content of another.
    func orElse(_ fallback: @escaping DeferredContent.Fallback) -> Response {
        guard let content = body.deferred as? DeferredContent else { return self }
        var response = self
        response.body = Body(deferred: content.or(fallback))
        return response
    }

    /// A response with a status and fields of its own, whose content is made once it has been returned.
    init(_ status: HTTPResponse.Status, _ headers: Headers, deferred source: some ResponseConvertible) {
        self.init(status, headers: headers, body: Body(deferred: DeferredContent(source)))
    }

    /// The same for a page, whose template may show values that have to be waited for.
    init(_ status: HTTPResponse.Status, _ headers: Headers, deferred view: View) {
        self.init(status, headers: headers, body: Body(deferred: DeferredContent(view)))
    }

    /// The response with its content made, unless that has to wait.
    /// - Throws: The error of making it, such as a ``TemplateError``.
    @inline(__always)
    consuming func resolved(for request: Request, in context: ResponseContext) throws -> Response {
        if !body.isDeferred { return self }
        return try Self.made(self, for: request, in: context)
    }

    /// Makes the content in place, or returns the responder that makes it if that has to wait.
    @inline(__always)
    mutating func resolve(for request: Request, in context: ResponseContext) throws -> (any Responder)? {
        if !body.isDeferred { return nil }
        self = try Self.made(self, for: request, in: context)
        return body.isDeferred ? UnmadePage(self, context) : nil
    }

    /// The response with its content made, or the responder that makes it if that has to wait.
    @inline(__always)
    consuming func ready(for request: Request, in context: ResponseContext) throws -> ImmediateResponse {
        if !body.isDeferred { return .ready(self) }
        var response = self
        if let page = try response.resolve(for: request, in: context) { return .waiting(page) }
        return .ready(response)
    }

    /// The response with its content made, even if that has to wait. Inlined, so that a response whose content is there
    /// costs no call that may wait.
    @inline(__always)
    consuming func completed(for request: Request, in context: ResponseContext) async throws -> Response {
        body.isDeferred ? try await made(for: request, in: context) : self
    }

    @inline(never)
    private func made(for request: Request, in context: ResponseContext) async throws -> Response {
        guard let content = body.deferred as? DeferredContent else { return self }
        return try await content.completed(self, for: request, in: context)
    }

    @inline(never)
    private static func made(
        _ unmade: consuming Response, for request: Request, in context: ResponseContext
    ) throws -> Response {
        var response = unmade
        if let content = response.body.deferred as? DeferredContent, !content.waits(in: context) {
            try content.make(&response, for: request, in: context)
        }
        return response
    }

    /// Takes the content of another response, and the fields that describe it. Content that depends on the request,
    /// such as a range of a file, also sets the status.
    fileprivate mutating func take(_ made: Response) {
        body = made.body
        if status == .ok { status = made.status }
        for field in made.headers.list where field.name == .contentType || !headers.contains(field.name) {
            headers[field.name] = field.value
        }
    }
}

/// Makes the page of a response that a function has returned without waiting.
private final class UnmadePage: Responder {
    private let response: Response
    private let context: ResponseContext

    init(_ response: Response, _ context: ResponseContext) {
        self.response = response
        self.context = context
    }

    func respond(to request: Request) async throws -> Response {
        try await response.completed(for: request, in: context)
    }
}
