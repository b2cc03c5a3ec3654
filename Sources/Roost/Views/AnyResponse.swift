/// One of several kinds of answer, for a handler that has more than one: a redirect here, a page there.
///
///     return request.isForm ? AnyResponse(Response.redirect(to: url)) : AnyResponse(JSON(user))
public struct AnyResponse: ResponseConvertible {
    private let base: any ResponseConvertible

    /// Wraps an answer.
    public init(_ base: any ResponseConvertible) { self.base = base }

    /// The response of what is wrapped.
    public func response(for request: Request, in context: ResponseContext) throws -> Response {
        try base.response(for: request, in: context)
    }
}
