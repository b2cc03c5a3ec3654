public import HTTPTypes

/// A value to respond with as JSON.
///
///     return JSON(user, status: .created)
public struct JSON<Value: Encodable & Sendable>: ResponseConvertible {
    /// The value.
    public let value: Value
    /// The response's status.
    public var status: HTTPResponse.Status
    /// Fields to set besides `Content-Type`.
    public var headers: Headers

    /// How the value is written; nil for the request's ``Request/jsonCoder``.
    @usableFromInline
    let coder: SharedJSONCoder?

    // Inlinable, so that the caller knows the type's layout and need not look it up for each response.
    /// A response with a value.
    @inlinable
    public init(_ value: Value, status: HTTPResponse.Status = .ok, headers: Headers = Headers()) {
        self.value = value
        self.status = status
        self.headers = headers
        coder = nil
    }

    /// A response with a value that is written otherwise than the application's other JSON.
    public init(
        _ value: Value, status: HTTPResponse.Status = .ok, headers: Headers = Headers(), using coder: JSONCoder
    ) {
        self.value = value
        self.status = status
        self.headers = headers
        self.coder = SharedJSONCoder(coder)
    }

    /// `application/json` in UTF-8 (RFC 8259).
    /// - Throws: `EncodingError` for what JSON cannot hold.
    public consuming func response(for request: Request, in context: ResponseContext) throws -> Response {
        let shared = coder ?? request[SharedJSONCoder.Key.self]
        let bytes = try shared.map { try $0.coder.encode(value) } ?? JSONCoder().encode(value)
        if headers.isEmpty { return Response(status, "application/json", Body(bytes)) }
        var response = Response(status, headers: headers, body: Body(bytes))
        response.headers[.contentType] = "application/json"
        return response
    }
}
