public import HTTPTypes

// Each method twice: for functions that may wait, and for those that never do.

extension Routes {
    /// Answers `GET`, and `HEAD` with it.
    @inlinable
    public func get<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ path: Path<(repeat each Parameter)>,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) async throws -> Result
    ) {
        on(.get, path, file: file, line: line, use: handler)
    }

    /// Answers `GET` with a function that never waits.
    @inlinable
    public func get<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ path: Path<(repeat each Parameter)>,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) throws -> Result
    ) {
        on(.get, path, file: file, line: line, use: handler)
    }

    /// Answers `POST`.
    @inlinable
    public func post<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ path: Path<(repeat each Parameter)>,
        body: RouteBody = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) async throws -> Result
    ) {
        on(.post, path, body: body, file: file, line: line, use: handler)
    }

    /// Answers `POST` with a function that never waits.
    @inlinable
    public func post<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ path: Path<(repeat each Parameter)>,
        body: RouteBody = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) throws -> Result
    ) {
        on(.post, path, body: body, file: file, line: line, use: handler)
    }

    /// Answers `PUT`.
    @inlinable
    public func put<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ path: Path<(repeat each Parameter)>,
        body: RouteBody = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) async throws -> Result
    ) {
        on(.put, path, body: body, file: file, line: line, use: handler)
    }

    /// Answers `PUT` with a function that never waits.
    @inlinable
    public func put<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ path: Path<(repeat each Parameter)>,
        body: RouteBody = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) throws -> Result
    ) {
        on(.put, path, body: body, file: file, line: line, use: handler)
    }

    /// Answers `PATCH`.
    @inlinable
    public func patch<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ path: Path<(repeat each Parameter)>,
        body: RouteBody = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) async throws -> Result
    ) {
        on(.patch, path, body: body, file: file, line: line, use: handler)
    }

    /// Answers `PATCH` with a function that never waits.
    @inlinable
    public func patch<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ path: Path<(repeat each Parameter)>,
        body: RouteBody = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) throws -> Result
    ) {
        on(.patch, path, body: body, file: file, line: line, use: handler)
    }

    /// Answers `DELETE`.
    @inlinable
    public func delete<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ path: Path<(repeat each Parameter)>,
        body: RouteBody = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) async throws -> Result
    ) {
        on(.delete, path, body: body, file: file, line: line, use: handler)
    }

    /// Answers `DELETE` with a function that never waits.
    @inlinable
    public func delete<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ path: Path<(repeat each Parameter)>,
        body: RouteBody = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) throws -> Result
    ) {
        on(.delete, path, body: body, file: file, line: line, use: handler)
    }
}
