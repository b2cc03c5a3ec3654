public import HTTPTypes

// Routes that state the type of what they read.

extension RouteDeclaration {
    /// Declares a handler with an input, which is decoded, and checked by its rules, before the handler is called:
    ///
    ///     api.post(Self.all, NestInput.self, status: .created) { request, input in await nests.add(input) }
    ///     api.get(Self.all, NestFilter.self) { request, filter in JSON(await nests.all(in: filter.tree)) }
    ///
    /// The input of `GET`, `HEAD` and `DELETE` is the query (``Request/decodeQuery(_:)``), that of other methods the
    /// body (``Request/decode(_:using:)``).
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - handler: A function of the request, the input and the path's parameters. Its result becomes JSON.
    /// - Returns: The route, to describe it.
    @inlinable
    @discardableResult
    @_disfavoredOverload
    public func callAsFunction<
        each Parameter: PathParameter, Input: Decodable & SendableMetatype, Output: Encodable & Sendable
    >(
        _ path: Path<repeat each Parameter>,
        _ input: Input.Type,
        status: HTTPResponse.Status = .ok,
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, Input, repeat each Parameter) async throws -> Output
    ) -> DeclaredRoute {
        let isQuery = readsQuery
        let handler: RouteHandler = .waiting { request, context in
            var index = 0
            let values = (repeat try request.parameter((each Parameter).self, &index))
            let input = try request.decode(Input.self, fromQuery: isQuery)
            return try JSON(try await handler(request, input, repeat each values), status: status)
                .response(for: request, in: context)
        }
        let types = RouteTypes(JSON<Output>.self, input: input, isQuery: isQuery, status: status)
        return add(path, body, file, line, handler, types)
    }

    /// Declares a handler with an input that never waits.
    @inlinable
    @discardableResult
    @_disfavoredOverload
    public func callAsFunction<
        each Parameter: PathParameter, Input: Decodable & SendableMetatype, Output: Encodable & Sendable
    >(
        _ path: Path<repeat each Parameter>,
        _ input: Input.Type,
        status: HTTPResponse.Status = .ok,
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, Input, repeat each Parameter) throws -> Output
    ) -> DeclaredRoute {
        let isQuery = readsQuery
        let handler: RouteHandler = .immediate { request, context in
            var index = 0
            let values = (repeat try request.parameter((each Parameter).self, &index))
            let input = try request.decode(Input.self, fromQuery: isQuery)
            return try JSON(try handler(request, input, repeat each values), status: status)
                .response(for: request, in: context)
        }
        let types = RouteTypes(JSON<Output>.self, input: input, isQuery: isQuery, status: status)
        return add(path, body, file, line, handler, types)
    }

    /// Declares a handler with an input whose result is any ``ResponseConvertible``, such as a ``View``.
    @inlinable
    @discardableResult
    public func callAsFunction<
        each Parameter: PathParameter, Input: Decodable & SendableMetatype, Result: ResponseConvertible
    >(
        _ path: Path<repeat each Parameter>,
        _ input: Input.Type,
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, Input, repeat each Parameter) async throws -> Result
    ) -> DeclaredRoute {
        let isQuery = readsQuery
        let handler: RouteHandler = .waiting { request, context in
            var index = 0
            let values = (repeat try request.parameter((each Parameter).self, &index))
            let input = try request.decode(Input.self, fromQuery: isQuery)
            return try await handler(request, input, repeat each values).response(for: request, in: context)
        }
        let types = RouteTypes(Result.self, input: input, isQuery: isQuery, status: nil)
        return add(path, body, file, line, handler, types)
    }

    /// Declares a handler with an input whose result is any ``ResponseConvertible``, and which never waits.
    @inlinable
    @discardableResult
    public func callAsFunction<
        each Parameter: PathParameter, Input: Decodable & SendableMetatype, Result: ResponseConvertible
    >(
        _ path: Path<repeat each Parameter>,
        _ input: Input.Type,
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, Input, repeat each Parameter) throws -> Result
    ) -> DeclaredRoute {
        let isQuery = readsQuery
        let handler: RouteHandler = .immediate { request, context in
            var index = 0
            let values = (repeat try request.parameter((each Parameter).self, &index))
            let input = try request.decode(Input.self, fromQuery: isQuery)
            return try handler(request, input, repeat each values).response(for: request, in: context)
        }
        let types = RouteTypes(Result.self, input: input, isQuery: isQuery, status: nil)
        return add(path, body, file, line, handler, types)
    }

    /// Declares a handler with an input that returns a ``Response``, such as a closure that returns `.redirect(to:)`.
    @inlinable
    @discardableResult
    @_disfavoredOverload
    public func callAsFunction<each Parameter: PathParameter, Input: Decodable & SendableMetatype>(
        _ path: Path<repeat each Parameter>,
        _ input: Input.Type,
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, Input, repeat each Parameter) async throws -> Response
    ) -> DeclaredRoute {
        callAsFunction(path, input, body: body, file: file, line: line, use: handler)
    }

    /// Declares a handler with an input that returns a response, and never waits.
    @inlinable
    @discardableResult
    @_disfavoredOverload
    public func callAsFunction<each Parameter: PathParameter, Input: Decodable & SendableMetatype>(
        _ path: Path<repeat each Parameter>,
        _ input: Input.Type,
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, Input, repeat each Parameter) throws -> Response
    ) -> DeclaredRoute {
        callAsFunction(path, input, body: body, file: file, line: line, use: handler)
    }
}

extension Request {
    /// The input of a route.
    @usableFromInline
    func decode<Input: Decodable>(_ type: Input.Type, fromQuery isQuery: Bool) throws -> Input {
        isQuery ? try decodeQuery(type) : try decode(type)
    }
}
