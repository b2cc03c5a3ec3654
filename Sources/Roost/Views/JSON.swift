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

    /// A response with a value.
    public init(_ value: Value, status: HTTPResponse.Status = .ok, headers: Headers = Headers()) {
        self.value = value
        self.status = status
        self.headers = headers
    }

    /// The value as UTF-8.
    /// - Throws: `EncodingError` for what JSON cannot hold.
    public var bytes: [UInt8] {
        get throws { try JSONCoder().encode(value) }
    }

    /// `application/json` in UTF-8 (RFC 8259).
    public func response(for request: Request, in context: ResponseContext) throws -> Response {
        var response = Response(status, headers: headers, body: Body(try bytes))
        response.headers[.contentType] = "application/json"
        return response
    }
}
