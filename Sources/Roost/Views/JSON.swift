public import HTTPTypes

/// A response that is a value as JSON.
///
///     return JSON(user, status: .created)
public struct JSON<Value: Encodable & Sendable>: ResponseConvertible {
    /// The value.
    public let value: Value
    /// The response's status.
    public var status: HTTPResponse.Status
    /// Fields to set; a `Content-Type` among them takes the place of `application/json`.
    public var headers: Headers

    /// The coder that writes the value; nil for the request's ``Request/jsonCoder``.
    @usableFromInline
    let coder: SharedJSONCoder?

    // Inlinable, so that the caller knows the type's layout and need not look it up for each response.
    /// Creates a response with a value.
    @inlinable
    public init(_ value: Value, status: HTTPResponse.Status = .ok, headers: Headers = Headers()) {
        self.value = value
        self.status = status
        self.headers = headers
        coder = nil
    }

    /// Creates a response with a value that is written by a coder of its own.
    public init(
        _ value: Value, status: HTTPResponse.Status = .ok, headers: Headers = Headers(), using coder: JSONCoder
    ) {
        self.value = value
        self.status = status
        self.headers = headers
        self.coder = SharedJSONCoder(coder)
    }

    /// Returns a response of `application/json` in UTF-8 (RFC 8259).
    /// - Throws: `EncodingError` for what JSON cannot hold.
    public consuming func response(for request: Request, in context: ResponseContext) throws -> Response {
        let coder = (coder ?? request[SharedJSONCoder.Key.self])?.coder ?? JSONCoder()
        return Response(json: try coder.encode(value), status, headers)
    }
}

extension Response {
    /// A response with a value that is written as JSON at once. If JSON cannot hold it, that is found out, and thrown,
    /// where content is made.
    init(
        writing value: some Encodable & Sendable, _ status: HTTPResponse.Status, _ headers: consuming Headers,
        for request: Request
    ) {
        let coder = request[SharedJSONCoder.Key.self]?.coder ?? JSONCoder()
        let bytes: [UInt8]
        do { bytes = try coder.encode(value) } catch {
            self.init(status, headers, deferred: .made { _, _ in throw error })
            return
        }
        self.init(json: bytes, status, consume headers)
    }

    fileprivate init(json bytes: [UInt8], _ status: HTTPResponse.Status, _ headers: consuming Headers) {
        if headers.isEmpty {
            self.init(status, "application/json", Body(bytes))
        } else {
            self.init(status, headers: consume headers, body: Body(bytes))
            if !self.headers.contains(.contentType) { self.headers[.contentType] = "application/json" }
        }
    }
}

/// A coder that is passed on by reference.
@usableFromInline
final class SharedJSONCoder: Sendable {
    /// The key under which a request carries the coder of its application or group.
    enum Key: RequestKey { typealias Value = SharedJSONCoder }

    let coder: JSONCoder

    init(_ coder: JSONCoder) { self.coder = coder }
}

extension Request {
    /// The coder of the request's body and of its responses in JSON: the application's (`Application(json:)`), or the
    /// group's (`JSONConvention`).
    public var jsonCoder: JSONCoder { self[SharedJSONCoder.Key.self]?.coder ?? JSONCoder() }
}
