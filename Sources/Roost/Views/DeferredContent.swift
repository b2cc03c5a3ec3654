import HTTPTypes

// Handlers and middleware return content that is not made yet: `.json(user)`, `.view("users/show", page)`. To make it
// takes the application's templates and its way of writing JSON, which they need not have at hand, and it may take
// waiting. It is made as soon as it has left them: by a route's endpoint, or on the way out through the middleware.

/// Content of a response that has not been made yet.
final class DeferredContent: Sendable {
    /// Makes the response to use instead when this content cannot be made.
    typealias Fallback = @Sendable (any Error) -> Response

    enum Source: Sendable {
        /// Content that is made without waiting.
        case made(@Sendable (Request, ResponseContext) throws -> Response)
        /// A file, of which the handler's own fields may say something.
        case file(@Sendable (Request, Headers) throws -> Response)
        /// A page, which waits if the application has values for every page.
        case page(View)
        /// A function that waits for something, and then makes the whole response.
        case work(@Sendable (Request) async throws -> Response)
    }

    fileprivate let source: Source
    private let fallback: Fallback?

    init(_ source: Source, or fallback: Fallback? = nil) {
        self.source = source
        self.fallback = fallback
    }

    /// Whether making it has to wait.
    func waits(in context: ResponseContext) -> Bool {
        switch source {
        case .made, .file: false
        case .page: context.pageValues != nil
        case .work: true
        }
    }

    /// Makes the content without waiting.
    func make(_ response: inout Response, for request: Request, in context: ResponseContext) throws {
        do {
            switch source {
            case .made(let make): response.take(try make(request, context))
            case .file(let make): response.take(try make(request, response.headers))
            case .page(let view): try view.show(in: &response, of: request, context, over: nil)
            case .work: break
            }
        } catch {
            response.take(try instead(of: error))
        }
    }

    fileprivate func instead(of error: any Error) throws -> Response {
        guard let fallback, !error.endsCancelledTask else { throw error }
        return fallback(error)
    }
}

extension Response {
    /// A response with a status and fields of its own, whose content is made once it has been returned.
    init(_ status: HTTPResponse.Status = .ok, _ headers: Headers = [:], deferred source: DeferredContent.Source) {
        self.init(status, headers: headers, body: Body(deferred: DeferredContent(source)))
    }

    /// The response; if its content is not made yet and cannot be, with the content of another.
    func orElse(_ fallback: @escaping DeferredContent.Fallback) -> Response {
        guard let content = body.deferred as? DeferredContent else { return self }
        var response = self
        response.body = Body(deferred: DeferredContent(content.source, or: fallback))
        return response
    }

    /// Makes the content, unless it is there. If that has to wait, the responder that does it is returned.
    /// - Throws: The error of making it, such as a ``TemplateError``.
    @inline(__always)
    mutating func makeContent(for request: Request, in context: ResponseContext) throws -> PendingContent? {
        body.isDeferred ? try makeDeferred(for: request, in: context) : nil
    }

    /// The response with its content made, after waiting if that has to be. Inlined, so that a response whose content
    /// is there costs no call that may wait.
    @inline(__always)
    consuming func makingContent(for request: Request, in context: ResponseContext) async throws -> Response {
        body.isDeferred ? try await PendingContent(self, context).respond(to: request) : self
    }

    @inline(never)
    private mutating func makeDeferred(for request: Request, in context: ResponseContext) throws -> PendingContent? {
        // A stream that has to begin.
        guard let content = body.deferred as? DeferredContent else { return PendingContent(self, context) }
        guard !content.waits(in: context) else { return PendingContent(self, context) }
        try content.make(&self, for: request, in: context)
        return nil
    }

    /// Takes the content of another response, and the fields that describe it. Content that depends on the request,
    /// such as a range of a file, also sets the status.
    fileprivate mutating func take(_ made: Response) {
        body = made.body
        if status == .ok { status = made.status }
        for field in made.headers.list where field.name == .contentType || !headers.contains(field.name) {
            headers[field.name] = field.value
        }
        // Both say on what the response depends.
        for line in made.headers[values: .vary] where !headers[values: .vary].contains(line) {
            headers.append(.vary, line)
        }
    }
}

/// A response whose content has to wait.
final class PendingContent: Responder {
    private let response: Response
    private let context: ResponseContext

    init(_ response: Response, _ context: ResponseContext) {
        self.response = response
        self.context = context
    }

    func respond(to request: Request) async throws -> Response {
        var response = response
        guard let content = response.body.deferred as? DeferredContent else {
            response.body = try await response.body.begun()
            return response
        }
        do {
            switch content.source {
            case .made, .file: try content.make(&response, for: request, in: context)
            case .page(let view):
                let values = try await context.pageValues?(request)
                try view.show(in: &response, of: request, context, over: values)
            case .work(let work): response = try await work(request)
            }
        } catch {
            response.take(try content.instead(of: error))
        }
        return response
    }
}
