public import HTTPTypes
public import Roost

/// A client that opens one connection for each request, for tests that look at the response and not at the wire.
///
/// ```swift
/// let response = try await HTTPClient(port: port).get("/users", headers: [.accept: "text/html"])
/// #expect(response.status == .ok)
/// ```
///
/// It sends `Connection: close` and holds the server to it: bytes after the response (a body after `HEAD`, say), or a
/// connection that stays open, are errors. To test keep-alive, use an ``HTTPConnection``.
public struct HTTPClient: Sendable {
    /// The host name or address to connect to.
    public var host: String
    /// The TCP port.
    public var port: Int
    /// The time that each step (connect, send, read, wait for the close) may take.
    public var timeout: Duration

    /// Creates a client for the server on `port`.
    public init(host: String = "127.0.0.1", port: Int, timeout: Duration = .seconds(60)) {
        self.host = host
        self.port = port
        self.timeout = timeout
    }

    /// Sends `GET path` and returns the response.
    public func get(_ path: String, headers: Headers = [:]) async throws -> Response {
        try await request(.get, path, headers: headers)
    }

    /// Sends a request and returns the response; redirects are not followed.
    ///
    /// - Throws: ``HTTPClientError``.
    public func request(
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
        guard surplus.isEmpty else { throw HTTPClientError.malformed("bytes follow the response", received: surplus) }
        return response
    }
}
