/// Declares the handler of one action of a resource, which is called like a function: `nests.show(use: show)`.
public struct ResourceAction<each Parameter: PathParameter> {
    @usableFromInline
    let path: Path<repeat each Parameter>
    @usableFromInline
    let declarations: [RouteDeclaration]

    init(_ path: Path<repeat each Parameter>, _ declarations: RouteDeclaration...) {
        self.path = path
        self.declarations = declarations
    }

    /// Declares the handler: a function of the request and, for one of the resource, its id.
    /// - Parameter body: Whether the body is read before the function is called, and how much of it.
    @inlinable
    public func callAsFunction<Result: ResponseConvertible>(
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) async throws -> Result
    ) {
        for declare in declarations { declare(path, body: body, file: file, line: line, use: handler) }
    }

    /// Declares a handler that never waits.
    @inlinable
    public func callAsFunction<Result: ResponseConvertible>(
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) throws -> Result
    ) {
        for declare in declarations { declare(path, body: body, file: file, line: line, use: handler) }
    }
}
