public import CoreMetrics
import HTTPTypes
public import Roost

/// A client for requests to other servers, on the event loops of the application, over libcurl.
///
///     let http = HTTPClient()
///     let weather = try await http.get("https://api.example/weather/nest").json(Weather.self)
///     try await http.post("https://hooks.example/nests", json: nest).successful()
///
/// Create one together with the application, and pass it to all code that needs it: copies share their connections.
/// Each event loop has a pool of its own. Except for streams, and for requests that may not be done twice such as
/// `POST` (``RetryPolicy/methods``), calls use HTTP/2 where the server speaks it over TLS. Responses may be compressed
/// (gzip, Brotli). A call ends in time (``timeout``), holds no more than ``maximumBodySize`` in memory, and is stopped
/// when its task is cancelled.
public struct HTTPClient: Sendable {
    /// The time that a call may take from beginning to end, tries and redirects included; by default 30 seconds.
    public var timeout: Duration
    /// The most bytes of a response's body in memory, decompressed; by default 16 MiB. A larger response throws a
    /// ``Failure`` of the kind ``Failure/Kind/bodyTooLarge``.
    public var maximumBodySize: Int
    /// The most redirects that a call follows; by default 0, so that a redirect is a response like any other.
    public var maximumRedirects: Int
    /// The failures after which a call is tried again; by default none.
    public var retries: RetryPolicy?
    /// Header fields to add to each request that does not have them itself.
    public var headers: Headers = [:]
    /// The coder with which JSON bodies are written and read.
    public var json: JSONCoder

    /// The way in which one request becomes one response, without redirects and further tries: within a time, with at
    /// most so many bytes of its body in memory, or as a stream, whose pauses have a limit of their own.
    let transport: @Sendable (Request, Duration, Duration, Int, Bool) async throws -> Response

    /// Creates a client with connections of its own.
    /// - Parameters:
    ///   - allowed: The addresses that it may connect to. Use ``AllowedAddresses/publicAddresses`` wherever a URL comes
    ///     from a user.
    ///   - connectionsPerHost: The most connections to one host at a time, for each event loop; further calls wait. 0
    ///     means any number. A streamed body has a connection to itself until its end.
    ///   - certificateAuthorities: The path of a PEM file with the authorities to trust instead of the system's.
    ///   - proxy: The URL of a proxy, such as `http://proxy:3128`; nil for none. Variables such as `https_proxy` are
    ///     ignored.
    ///   - json: The application's coder, if it has conventions.
    ///   - metrics: The back end that learns how long each host takes; by default, the task's or the program's.
    public init(
        allows allowed: AllowedAddresses = .all,
        connectionsPerHost: Int = 16,
        certificateAuthorities: String? = nil,
        proxy: String? = nil,
        json: JSONCoder = JSONCoder(),
        timeout: Duration = .seconds(30),
        maximumBodySize: Int = 16 << 20,
        maximumRedirects: Int = 0,
        retries: RetryPolicy? = nil,
        metrics: (any MetricsFactory)? = nil
    ) {
        let settings = TransferSettings(
            allowed: allowed, connectionsPerHost: connectionsPerHost, certificateAuthorities: certificateAuthorities,
            proxy: proxy)
        let pools = TransferPools(settings, HostMetrics(metrics ?? MetricsSystem.factory))
        self.init(pools.send, json, timeout, maximumBodySize, maximumRedirects, retries)
    }

    /// Creates a client for tests that sends nothing: a closure responds.
    ///
    ///     let http = HTTPClient { request in try .init(.ok, json: ["url": request.url]) }
    public init(
        json: JSONCoder = JSONCoder(), answering answer: @escaping @Sendable (Request) async throws -> Response
    ) {
        self.init({ request, _, _, _, _ in try await answer(request) }, json, .seconds(30), 16 << 20, 0, nil)
    }

    init(
        _ transport: @escaping @Sendable (Request, Duration, Duration, Int, Bool) async throws -> Response,
        _ json: JSONCoder, _ timeout: Duration, _ maximumBodySize: Int, _ maximumRedirects: Int, _ retries: RetryPolicy?
    ) {
        self.transport = transport
        self.json = json
        self.timeout = timeout
        self.maximumBodySize = maximumBodySize
        self.maximumRedirects = maximumRedirects
        self.retries = retries
    }

    /// Returns a client for work on behalf of a request: its calls belong to the request's trace (`traceparent`) and
    /// have its id (`X-Request-Id`), so that the other server's log and this one's can be read together.
    ///
    ///     let rates = try await http.continuing(request).get(ratesURL)
    public func continuing(_ request: Roost.Request) -> HTTPClient {
        var client = self
        for field in request.traceContext.headers.list { client.headers[field.name] = field.value }
        if let id = request.id { client.headers[.requestID] = id }
        return client
    }

    /// Sends `GET`.
    /// - Throws: ``Failure``, `CancellationError`.
    public func get(_ url: String, query: Form = [:], headers: Headers = [:]) async throws -> Response {
        try await send(Request(.get, url, query: query, headers: headers))
    }

    /// Sends `HEAD`.
    /// - Throws: ``Failure``, `CancellationError`.
    public func head(_ url: String, headers: Headers = [:]) async throws -> Response {
        try await send(Request(.head, url, headers: headers))
    }

    /// Sends `POST` with a body; a stream is sent while it comes.
    /// - Throws: ``Failure``, `CancellationError`, any error of the stream.
    public func post(_ url: String, body: Body = Body(), headers: Headers = [:]) async throws -> Response {
        try await send(Request(.post, url, headers: headers, body: body))
    }

    /// Sends `POST` with a value as JSON.
    /// - Throws: ``Failure``, `CancellationError`, an `EncodingError`.
    public func post(_ url: String, json value: some Encodable, headers: Headers = [:]) async throws -> Response {
        try await send(Request(.post, url, headers: headers).with(value, json))
    }

    /// Sends `POST` with a form (`application/x-www-form-urlencoded`).
    /// - Throws: ``Failure``, `CancellationError`.
    public func post(_ url: String, form: Form, headers: Headers = [:]) async throws -> Response {
        try await send(Request(.post, url, headers: headers).with(form))
    }

    /// Sends `POST` with a form that has files (`multipart/form-data`, RFC 7578).
    /// - Throws: ``Failure``, `CancellationError`.
    public func post(_ url: String, multipart parts: [FormPart], headers: Headers = [:]) async throws -> Response {
        try await send(Request(.post, url, headers: headers).with(parts))
    }

    /// Sends `PUT` with a value as JSON.
    /// - Throws: ``Failure``, `CancellationError`, an `EncodingError`.
    public func put(_ url: String, json value: some Encodable, headers: Headers = [:]) async throws -> Response {
        try await send(Request(.put, url, headers: headers).with(value, json))
    }

    /// Sends `PUT` with a body; a stream is sent while it comes.
    /// - Throws: ``Failure``, `CancellationError`, any error of the stream.
    public func put(_ url: String, body: Body, headers: Headers = [:]) async throws -> Response {
        try await send(Request(.put, url, headers: headers, body: body))
    }

    /// Sends `PATCH` with a value as JSON.
    /// - Throws: ``Failure``, `CancellationError`, an `EncodingError`.
    public func patch(_ url: String, json value: some Encodable, headers: Headers = [:]) async throws -> Response {
        try await send(Request(.patch, url, headers: headers).with(value, json))
    }

    /// Sends `DELETE`.
    /// - Throws: ``Failure``, `CancellationError`.
    public func delete(_ url: String, headers: Headers = [:]) async throws -> Response {
        try await send(Request(.delete, url, headers: headers))
    }

    /// Sends any request and returns the response, whatever its status, with its body in memory.
    /// - Throws: ``Failure``, `CancellationError`, any error of a streamed body.
    public func send(_ request: Request) async throws -> Response {
        let step = Timelines.begin(
            .outgoing, "\(request.method) \(request.plainURL)", span: request.method.rawValue,
            ["http.request.method": request.method.rawValue, "url.full": request.plainURL])
        guard let step else { return try await exchange(request, streams: false) }
        var request = request
        for (name, value) in step.span?.fields ?? [:] {
            if let name = HTTPField.Name(name) { request.headers[name] = value }
        }
        do {
            let response = try await exchange(request, streams: false)
            step.span?.set("http.response.status_code", response.status.code)
            step.end()
            return response
        } catch {
            step.end(error)
            throw error
        }
    }

    /// Sends any request and returns the response when its head has arrived; its body is received piece by piece, no
    /// faster than the caller reads it. The body is requested uncompressed and passed on unchanged: if you set
    /// `Accept-Encoding` yourself, it may be compressed, as `Content-Encoding` says.
    ///
    ///     let response = try await http.stream(.init(.get, url))
    ///     for try await piece in response.body { … }
    ///
    /// A streamed body goes on being sent meanwhile; if that fails, so does reading the response. A response that has
    /// no body, such as 204, is returned when all has been sent, within the timeout.
    ///
    /// The timeout applies until the head has arrived, and then to each pause in which the server neither sends nor
    /// receives. It does not run while the server waits for the caller to read, or for a streamed body to continue; a
    /// server that is gone then goes unnoticed. Releasing the response before its end stops the transfer.
    /// - Throws: ``Failure``, `CancellationError`, any error of a streamed body.
    public func stream(_ request: Request) async throws -> Response {
        try await exchange(request, streams: true)
    }
}
