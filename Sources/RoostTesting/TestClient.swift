public import HTTPTypes
public import Roost
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
    private let application: Application
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

    /// Sends a `GET` and returns the response; redirects are not followed.
    public func get(_ path: String, headers: HTTPFields = [:]) async throws -> HTTPClient.Response {
        try await request(.get, path, headers: headers)
    }

    /// Sends a `HEAD` and returns the response.
    public func head(_ path: String, headers: HTTPFields = [:]) async throws -> HTTPClient.Response {
        try await request(.head, path, headers: headers)
    }

    /// Sends a form with `POST` and returns the response.
    public func post(_ path: String, form: Form, headers: HTTPFields = [:]) async throws -> HTTPClient.Response {
        try await request(.post, path, form: form, headers: headers)
    }

    /// Sends a value as JSON with `POST` and returns the response.
    public func post(
        _ path: String,
        json: some Encodable & Sendable,
        headers: HTTPFields = [:]
    ) async throws -> HTTPClient.Response {
        try await request(.post, path, json: json, headers: headers)
    }

    /// Sends a value as JSON with `PUT` and returns the response.
    public func put(
        _ path: String,
        json: some Encodable & Sendable,
        headers: HTTPFields = [:]
    ) async throws -> HTTPClient.Response {
        try await request(.put, path, json: json, headers: headers)
    }

    /// Sends a value as JSON with `PATCH` and returns the response.
    public func patch(
        _ path: String,
        json: some Encodable & Sendable,
        headers: HTTPFields = [:]
    ) async throws -> HTTPClient.Response {
        try await request(.patch, path, json: json, headers: headers)
    }

    /// Sends a `DELETE` and returns the response.
    public func delete(_ path: String, headers: HTTPFields = [:]) async throws -> HTTPClient.Response {
        try await request(.delete, path, headers: headers)
    }

    /// Sends an `OPTIONS` and returns the response.
    public func options(_ path: String, headers: HTTPFields = [:]) async throws -> HTTPClient.Response {
        try await request(.options, path, headers: headers)
    }

    /// Sends a form with any method and returns the response.
    public func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        form: Form,
        headers: HTTPFields = [:]
    ) async throws -> HTTPClient.Response {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await request(method, path, headers: headers, body: Array(form.urlEncoded.utf8))
    }

    /// Sends a value as JSON with any method and returns the response.
    public func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        json: some Encodable & Sendable,
        headers: HTTPFields = [:]
    ) async throws -> HTTPClient.Response {
        var headers = headers
        headers[.contentType] = "application/json"
        return try await request(method, path, headers: headers, body: try JSON(json).bytes)
    }

    /// Sends any request and returns the response.
    /// - Throws: ``HTTPClientError`` when the response is malformed or does not come.
    public func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) async throws -> HTTPClient.Response {
        let connection = try await connect()
        defer { connection.close() }
        var headers = headers
        if headers[.cookie] == nil, let cookie { headers[.cookie] = cookie }
        try await connection.send(method, path, headers: headers, body: body)
        let response = try await connection.readResponse(to: method)
        keepCookies(of: response)
        return response
    }

    /// The value of a cookie; nil when the client has no cookie of that name.
    public func cookie(_ name: String) -> String? {
        cookies.withLock { $0[name] }
    }

    /// Opens a connection to the application, for tests of what goes over the wire.
    public func connect() async throws -> HTTPConnection {
        let server = try await running()
        let descriptor = try await server.connect(from: peer)
        return HTTPConnection(descriptor: descriptor, host: host, timeout: timeout, server: server)
    }

    /// Lets seconds pass on the server's clock, which otherwise stands still.
    public func pass(seconds: Int) async throws {
        let server = try await running()
        for _ in 0..<seconds { await server.passSecond() }
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
        for field in response.headers[fields: .setCookie] {
            let parts = field.value.split(separator: ";").map { $0.drop { $0 == " " } }
            guard let pair = parts.first?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false),
                pair.count == 2
            else { continue }
            let isRemoved = parts.dropFirst().contains { $0.lowercased() == "max-age=0" }
            cookies.withLock { $0[String(pair[0])] = isRemoved ? nil : String(pair[1]) }
        }
    }
}
