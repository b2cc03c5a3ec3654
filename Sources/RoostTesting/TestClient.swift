public import HTTPTypes
import Logging
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
/// It keeps cookies like a browser, by their paths and until they end, so two clients are two visitors. Clients of one
/// application share its server, and its services stop with the last of them. Those of two applications are
/// independent, so tests run in parallel.
///
/// With `over: .tcp` the same test runs over a socket of this machine, with a server that listens on a free port:
///
///     @Test(arguments: TestClient.Transport.allCases)
///     func `a browser gets the page`(transport: TestClient.Transport) async throws {
///         let client = TestClient(try makeApp(.testing), over: transport)
public final class TestClient: ApplicationClient {
    /// The path from a client to its application.
    public enum Transport: Sendable, CaseIterable {
        /// In the same process, over pairs of connected sockets; the server's clock stands still.
        case inProcess
        /// Over TCP, on this machine; the server's clock runs.
        case tcp
        /// In the same process, with requests over HTTP/2: for applications with the service `TLS()`. WebSockets and
        /// ``TestClient/connect()`` speak HTTP/1.1.
        case http2

        /// The transports of every application: without ``http2``.
        public static let allCases: [Transport] = [.inProcess, .tcp]
    }

    /// The application that it talks to.
    public let application: Application
    let host: String
    private let headers: Headers
    private let peer: PeerAddress
    private let timeout: Duration
    private let transport: Transport
    private let served: ServedApplication
    private let cookies = Mutex(CookieJar())
    private let checks = Atomic(true)
    var visits: VisitResponder { served.visits }

    /// Whether a response that differs from the description of the API (``APIDescription``) is an error; true by
    /// default. Without a description, nothing is checked.
    public var checksDescription: Bool {
        get { checks.load(ordering: .relaxed) }
        set { checks.store(newValue, ordering: .relaxed) }
    }

    /// Creates a client without cookies.
    /// - Parameters:
    ///   - headers: The fields of its requests, but not of ``connect()``'s. A request's own fields replace them.
    ///   - host: The `Host` field of its requests.
    ///   - peer: The address from which the server believes the requests come; by default, a browser on this machine.
    ///   - timeout: The time that a response, an event or a message may take before the test fails. A suite's
    ///     `timeLimit` should be longer: it ends a test without saying what it was waiting for.
    ///   - transport: The way in which it reaches the application; over TCP, the peer is what the socket says.
    public init(
        _ application: Application,
        headers: Headers = [:],
        host: String = "localhost",
        peer: PeerAddress = .loopback,
        timeout: Duration = .seconds(60),
        over transport: Transport = .inProcess
    ) {
        self.application = application
        served = .of(application)
        self.headers = headers
        self.host = host
        self.peer = peer
        self.timeout = timeout
        self.transport = transport
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
    /// - Throws: ``WireClientError`` when the response is malformed or does not come; ``UnexpectedResponse`` when it
    ///   differs from its description, unless ``checksDescription`` is false.
    public func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: Headers = [:],
        body: [UInt8] = []
    ) async throws -> WireClient.Response {
        let connection = try await connect()
        defer { connection.close() }
        let fields = fields(headers, for: path)
        var response = try await exchange(on: connection, method, path, fields, body)
        response.coder = application.json
        keepCookies(of: response.headers, from: path, sent: fields)
        LastResponse.current?.keep(response, to: "\(method) \(path)")
        if checksDescription, let text = response.headers[.descriptionMismatch] {
            throw UnexpectedResponse(response, DescriptionMismatch(description: text))
        }
        return response
    }

    private func exchange(
        on connection: HTTPConnection, _ method: HTTPRequest.Method, _ path: String, _ headers: Headers, _ body: [UInt8]
    ) async throws -> WireClient.Response {
        if transport == .http2 {
            return try await HTTP2Exchange(on: connection)
                .request(method, path, host: host, headers: headers, body: body)
        }
        try await connection.send(method, path, headers: headers, body: body)
        while true {
            let response = try await connection.readResponse(to: method)
            // An interim response (1xx) is not the response, except for 101, the last one in HTTP.
            if response.status.code >= 200 || response.status == .switchingProtocols { return response }
        }
    }

    /// Follows a redirect as browsers do (WHATWG Fetch §4.4): with `GET` and without the body after 303, and after 301
    /// and 302 to a `POST`; otherwise with the same method and body. Returns the first response that is no redirect to
    /// this application: also one to another scheme, or to HTTPS from an application that has not been reached by it.
    /// - Throws: ``UnexpectedResponse`` after ten redirects.
    func follow(
        _ response: WireClient.Response, to method: HTTPRequest.Method, _ path: String, headers: Headers,
        body: [UInt8]
    ) async throws -> WireClient.Response {
        var (response, method, path, headers, body) = (response, method, path, headers, body)
        for _ in 0..<10 {
            // Over plain HTTP, no response has this field (RFC 6797 §7.2).
            let isHTTPS = response.headers.contains(.strictTransportSecurity)
            guard Self.redirects.contains(response.status.code), let location = response.headers[.location],
                let next = RedirectTarget(location, from: path, host: host, isHTTPS: isHTTPS)
            else { return response }
            path = next.path
            let looks = response.status == .seeOther && method != .head
            if looks || response.status.code < 303 && method == .post {
                method = .get
                body = []
                headers[.contentType] = nil
            }
            response = try await request(method, path, headers: headers, body: body)
        }
        throw UnexpectedResponse(response, TooManyRedirects())
    }

    /// The statuses with which browsers go on to `Location` (WHATWG Fetch §2.2.3).
    private static let redirects: Set = [301, 302, 303, 307, 308]

    /// The value of a cookie, that of the longest path if there are several; nil when the client has no cookie of that
    /// name.
    public func cookie(_ name: String) -> String? {
        withCookies { $0.value(name) }
    }

    /// Gives the client a cookie for all paths, beside those that responses have set, as a script of a page does.
    /// - Parameter value: A value without a `;`.
    public func setCookie(_ name: String, _ value: String) {
        withCookies { $0.take("\(name)=\(value); Path=/; Secure", from: "/", of: host) }
    }

    /// The cookies at the time of the application's clock.
    private func withCookies<Value>(_ body: (inout CookieJar) -> Value) -> Value {
        cookies.withLock { cookies in
            cookies.follow(application.time)
            return body(&cookies)
        }
    }

    /// The fields of a request for a path: with those of all requests, and the cookies that the client has, unless
    /// they have some.
    func fields(_ own: Headers, for path: String) -> Headers {
        var headers = headers.merging(own)
        if headers[.cookie] == nil { headers[.cookie] = withCookies { $0.field(for: path) } }
        return headers
    }

    /// Keeps the cookies that a response sets.
    /// - Parameter sent: The fields of the request.
    func keepCookies(of headers: Headers, from path: String, sent: Headers) {
        let setCookies = headers[values: .setCookie]
        let host = sent["Host"] ?? host
        withCookies { cookies in
            for field in setCookies { cookies.take(field, from: path, of: host) }
        }
    }

    /// Opens a WebSocket, with the cookies that the client has, and keeps those of the response:
    ///
    ///     let socket = try await client.webSocket("/chat", headers: [.origin: "http://localhost"])
    ///
    /// - Parameter headers: More fields of the handshake.
    /// - Throws: ``WebSocketRefused`` with the response when that is not 101; ``WireClientError``.
    public func webSocket(_ path: String, headers: Headers = [:]) async throws -> TestWebSocket {
        let fields = fields(headers, for: path)
        do {
            let socket = try await connect().webSocket(path, headers: fields)
            keepCookies(of: socket.response.headers, from: path, sent: fields)
            return socket
        } catch let refusal as WebSocketRefused {
            keepCookies(of: refusal.response.headers, from: path, sent: fields)
            throw refusal
        }
    }

    /// Opens a connection to the application, for tests of the bytes on the wire.
    package func connect() async throws -> HTTPConnection {
        if transport == .tcp {
            let port = try await served.overTCP.server().port
            return try await HTTPConnection.connect(host: "127.0.0.1", port: port, timeout: timeout, hostField: host)
        }
        let descriptor = try await served.inProcess.server().connect(from: peer)
        return HTTPConnection(descriptor: descriptor, host: host, timeout: timeout, server: served)
    }

    /// Lets time pass for the client's cookies and on the server's clock, which counts seconds and otherwise stands
    /// still. Over TCP the server's clock runs by itself, and only the cookies grow older.
    public func pass(_ time: Duration) async throws {
        withCookies { $0.pass(time.wholeSeconds) }
        guard transport != .tcp else { return }
        let server = try await served.inProcess.server()
        for _ in 0..<time.wholeSeconds { await server.passSecond() }
    }

    /// Runs the jobs that are due, one after the other, until none is left; returns how many have run.
    ///
    /// Nothing runs by itself while a client serves the application. A job that fails is due again later, as always:
    /// advance the clock that the jobs use, and run them again. The log names due jobs of unknown types, and warns if
    /// the application has no `Jobs`: ``QuietLog`` shows it with a failure.
    /// - Throws: `JobsFailed` with the error of each job that has failed, after all others have run;
    ///   ``WireClientError`` after ``stop()``.
    @discardableResult
    public func runJobs() async throws -> Int {
        if transport == .tcp { _ = try await served.overTCP.server() } else { _ = try await served.inProcess.server() }
        let services = application.services.compactMap { $0 as? any BackgroundService }
        if services.isEmpty {
            application.logger.warning("No Jobs is among the services of the application: runJobs() has run nothing.")
        }
        var count = 0
        for service in services { count += try await service.runDue() }
        return count
    }

    /// Ends the server as SIGTERM does: requests in flight are answered, event streams and idle connections closed, and
    /// services stopped. The server's clock runs from now on: whatever is still open after 30 seconds is cut off, or at
    /// once if the calling task is cancelled, as at a test's time limit (over TCP, still after 30 seconds). Without
    /// this call the services are stopped some time after the last client of the application is gone.
    ///
    /// The server ends for all clients that share it; a client that is created later starts a new one.
    public func stop() async throws {
        application.serverPlace.remove(served)
        if transport == .tcp { try await served.overTCP.stop() } else { try await served.inProcess.stop() }
    }
}

/// A service that works in the background, which in a test works only when it is told to.
struct ByHand: Service {
    private let service: any BackgroundService

    /// The service, or what stands for it in a test.
    static func service(_ service: any Service) -> any Service {
        (service as? any BackgroundService).map { ByHand(service: $0) } ?? service
    }

    func start() async throws { try await service.startByHand() }
    func stop() async { await service.stop() }
}

/// The error for a response that differs from its description.
struct DescriptionMismatch: Error, CustomStringConvertible {
    let description: String
}
