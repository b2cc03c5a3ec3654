public import HTTPTypes
public import Roost

/// A client that opens one connection for each request, for tests that look at the response and not at the wire.
///
/// ```swift
/// let response = try await WireClient(port: port).get("/users", headers: [.accept: "text/html"])
/// #expect(response.status == .ok)
/// ```
///
/// It sends `Connection: close` and holds the server to it: bytes after the response (a body after `HEAD`, say), or a
/// connection that stays open, are errors.
public struct WireClient: Sendable {
    /// The host name or address to connect to.
    let host: String
    /// The TCP port.
    let port: Int
    /// The time that each step (connect, send, read, wait for the close) may take.
    let timeout: Duration

    /// Creates a client for the server on `port`.
    package init(host: String = "127.0.0.1", port: Int, timeout: Duration = .seconds(60)) {
        self.host = host
        self.port = port
        self.timeout = timeout
    }

    /// Sends `GET path` and returns the response.
    package func get(_ path: String, headers: Headers = [:]) async throws -> Response {
        try await request(.get, path, headers: headers)
    }

    /// Sends a request and returns the response; redirects are not followed.
    ///
    /// - Throws: ``WireClientError``.
    package func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: Headers = [:],
        body: [UInt8] = []
    ) async throws -> Response {
        var headers = headers
        headers[.connection] = "close"
        let connection = try await HTTPConnection.connect(host: host, port: port, timeout: timeout)
        defer { connection.close() }
        try await connection.send(method, path, headers: headers, body: body)
        let response = try await connection.readResponse(to: method)
        let surplus = try await connection.readToEnd()
        guard surplus.isEmpty else { throw WireClientError.malformed("bytes follow the response", received: surplus) }
        return response
    }
}

extension WireClient {
    /// A response as it came over the wire.
    public struct Response: Sendable {
        /// The status code with the reason phrase that the server wrote.
        public var status: HTTPResponse.Status
        /// The header fields in the order of the wire.
        public var headers: Headers
        /// The bytes of the body, without the framing.
        public var body: [UInt8] = []
        /// The fields after a chunked body.
        public var trailers: Headers = [:]
        /// The coder that ``json(_:using:)`` decodes the body with; for a ``TestClient``, the application's.
        var coder = JSONCoder()

        /// Decodes the body: `let users = try response.json([User].self)`. For a ``TestClient`` that follows the
        /// application's convention for JSON.
        /// - Parameter own: The coder of a group or a route that has its own convention.
        /// - Throws: ``UnexpectedResponse``, which shows the response, for a body that is not JSON or has a value of
        ///   another type.
        public func json<Value: Decodable>(
            _ type: Value.Type = Value.self, using own: JSONCoder? = nil
        ) throws -> Value {
            do { return try (own ?? coder).decode(type, from: body) } catch { throw UnexpectedResponse(self, error) }
        }

        /// The body as text, with ill-formed UTF-8 replaced.
        public var text: String {
            String(decoding: body, as: UTF8.self)
        }
    }
}

extension WireClient.Response: CustomStringConvertible {
    /// The whole response as text, with status, fields and body: `#expect(response.status == .ok, "\(response)")`. Of a
    /// text body, the first 10,000 characters are shown; of any other, only its length.
    public var description: String {
        let fields = headers.list.map { "\n\($0.name.rawName): \($0.value)" }.joined()
        let isText = String(validating: body, as: UTF8.self).map { !$0.utf8.contains(0) } ?? false
        let shown = isText ? String(text.unicodeScalars.prefix(10_000)) : "\(body.count) bytes"
        return "\(status)\(fields)\n\n\(shown)"
    }
}

/// The error for a response whose body a test could not decode.
public struct UnexpectedResponse: Error, CustomStringConvertible {
    /// The response.
    public let response: WireClient.Response
    /// The error that says what is wrong with the response.
    public let reason: any Error

    init(_ response: WireClient.Response, _ reason: any Error) {
        self.response = response
        self.reason = reason
    }

    /// The reason, and the whole response.
    public var description: String { "\(reason) The response is \(response)" }
}
