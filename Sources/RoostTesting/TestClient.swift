public import HTTPTypes
// A test that imports RoostTesting also has Roost's headers, forms and statuses, which its declarations use.
@_exported public import Roost
import Synchronization

/// A client for tests, in the same process as the application: its requests go through the real connection, parser,
/// middleware, router and serializer, without a network.
///
///     let client = TestClient(try makeApp(.testing))
///     let response = try await client.get("/users", headers: [.accept: "text/html"])
///     #expect(response.status == .ok)
///
/// It keeps cookies like a browser, so two clients are two visitors. Clients are independent, so tests run in parallel.
public final class TestClient: Sendable {
    let application: Application
    private let host: String
    private let peer: PeerAddress
    private let timeout: Duration
    private let server = Mutex<Task<InProcessServer, any Error>?>(nil)
    private let cookies = Mutex<[String: String]>([:])

    /// Creates a client without cookies.
    /// - Parameters:
    ///   - host: The `Host` field of its requests.
    ///   - peer: Where the server believes the requests come from; by default, a browser on this machine.
    ///   - timeout: How long a response may take before the test fails.
    public init(
        _ application: Application,
        host: String = "localhost",
        peer: PeerAddress = .loopback,
        timeout: Duration = .seconds(60)
    ) {
        self.application = application
        self.host = host
        self.peer = peer
        self.timeout = timeout
    }

    /// Sends a `GET`: `try await client.get("/users", headers: [.accept: "text/html"])`.
    public var get: TestRequest { on(.get) }
    /// Sends a `HEAD`.
    public var head: TestRequest { on(.head) }
    /// Sends a `POST`: `try await client.post("/users", json: user)`.
    public var post: TestRequest { on(.post) }
    /// Sends a `PUT`.
    public var put: TestRequest { on(.put) }
    /// Sends a `PATCH`.
    public var patch: TestRequest { on(.patch) }
    /// Sends a `DELETE`.
    public var delete: TestRequest { on(.delete) }
    /// Sends an `OPTIONS`.
    public var options: TestRequest { on(.options) }

    /// Sends a request of any method: `try await client.on(method)("/users")`.
    public func on(_ method: HTTPRequest.Method) -> TestRequest { TestRequest(client: self, method: method) }

    /// Sends any request and returns the response; redirects are not followed.
    /// - Throws: ``HTTPClientError`` when the response is malformed or does not come.
    public func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: Headers = [:],
        body: [UInt8] = []
    ) async throws -> HTTPClient.Response {
        let connection = try await connect()
        defer { connection.close() }
        var headers = headers
        if headers[.cookie] == nil, let cookie { headers[.cookie] = cookie }
        try await connection.send(method, path, headers: headers, body: body)
        var response = try await connection.readResponse(to: method)
        response.coder = application.json
        keepCookies(of: response)
        return response
    }

    /// The value of a cookie; nil when the client has no cookie of that name.
    public func cookie(_ name: String) -> String? {
        cookies.withLock { $0[name] }
    }

    /// Opens a WebSocket, with the cookies that the client has:
    ///
    ///     let socket = try await client.webSocket("/chat", headers: [.origin: "http://localhost"])
    ///
    /// - Parameter headers: More fields of the handshake; see ``HTTPConnection/webSocket(_:headers:)``.
    /// - Throws: ``WebSocketRefused`` with the response when that is not 101; ``HTTPClientError``.
    public func webSocket(_ path: String, headers: Headers = [:]) async throws -> TestWebSocket {
        var headers = headers
        if headers[.cookie] == nil, let cookie { headers[.cookie] = cookie }
        return try await connect().webSocket(path, headers: headers)
    }

    /// Opens a connection to the application, for tests of what goes over the wire.
    public func connect() async throws -> HTTPConnection {
        let server = try await running()
        let descriptor = try await server.connect(from: peer)
        return HTTPConnection(descriptor: descriptor, host: host, timeout: timeout, server: server)
    }

    /// Lets time pass on the server's clock, which counts seconds and otherwise stands still.
    public func pass(_ time: Duration) async throws {
        let server = try await running()
        for _ in 0..<time.wholeSeconds { await server.passSecond() }
    }

    /// Ends the server as SIGTERM does: requests in flight are answered, idle connections closed, and services stopped.
    /// Without this call they are stopped some time after the client is gone.
    public func stop() async throws {
        try await running().stop()
    }

    private func running() async throws -> InProcessServer {
        let task = server.withLock { task in
            if let task { return task }
            let application = application
            let new = Task {
                try await InProcessServer(
                    application.configuration,
                    application,
                    services: application.services,
                    logger: application.logger
                )
            }
            task = new
            return new
        }
        return try await task.value
    }

    private var cookie: String? {
        let pairs = cookies.withLock { $0.map { "\($0.key)=\($0.value)" } }
        return pairs.isEmpty ? nil : pairs.sorted().joined(separator: "; ")
    }

    private func keepCookies(of response: HTTPClient.Response) {
        for field in response.headers[values: .setCookie] {
            let parts = field.utf8.split(separator: UInt8(ascii: ";")).map { $0.drop { $0 == UInt8(ascii: " ") } }
            guard let pair = parts.first, let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = String(decoding: pair[..<equals], as: UTF8.self)
            let value = String(decoding: pair[pair.index(after: equals)...], as: UTF8.self)
            let attributes = parts.dropFirst().map { String(decoding: $0, as: UTF8.self).lowercased() }
            let isRemoved = attributes.contains("max-age=0")
            cookies.withLock { $0[name] = isRemoved ? nil : value }
        }
    }
}
