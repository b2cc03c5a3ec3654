/// Content of a response that has not been made yet. Making it takes the application's templates and its way of writing
/// JSON, which the code that returns the response need not have at hand.
final class DeferredContent: Sendable {
    /// Makes a response that takes its place when it cannot be made.
    typealias Fallback = @Sendable (any Error) -> Response

    private let source: any ResponseConvertible
    private let fallback: Fallback?

    init(_ source: any ResponseConvertible, or fallback: Fallback? = nil) {
        self.source = source
        self.fallback = fallback
    }

    /// The same content, with what takes its place when it cannot be made.
    func or(_ fallback: @escaping Fallback) -> DeferredContent { DeferredContent(source, or: fallback) }

    /// The content, and the fields that describe it.
    func made(for request: Request, in context: ResponseContext) throws -> Response {
        do {
            return try source.response(for: request, in: context)
        } catch {
            guard let fallback else { throw error }
            return fallback(error)
        }
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

    /// The response with its content made.
    /// - Throws: What making it throws, such as a ``TemplateError``.
    @inline(__always)
    consuming func resolved(for request: Request, in context: ResponseContext) throws -> Response {
        if !body.isDeferred { return self }
        return try Self.made(self, for: request, in: context)
    }

    /// Makes the response's content, if it is not made yet.
    @inline(__always)
    mutating func resolve(for request: Request, in context: ResponseContext) throws {
        if body.isDeferred { self = try Self.made(self, for: request, in: context) }
    }

    @inline(never)
    private static func made(
        _ unmade: Response, for request: Request, in context: ResponseContext
    ) throws -> Response {
        guard let content = unmade.body.deferred as? DeferredContent else { return unmade }
        var response = unmade
        let made = try content.made(for: request, in: context)
        response.body = made.body
        for field in made.headers.list where field.name == .contentType || !unmade.headers.contains(field.name) {
            response.headers[field.name] = field.value
        }
        return response
    }
}
