public import HTTPTypes
public import Roost
import Synchronization

/// One TCP connection to a server, on which a test decides every byte.
///
/// Requests go out raw (``send(_:)-(String)``) or composed; responses are read one by one, so keep-alive and pipelining
/// need nothing of their own. Every operation is given up after the connection's timeout. One task may send while
/// another reads; the connection closes when the last reference to it goes.
public final class HTTPConnection: Sendable {
    private let socket: Socket
    private let host: String
    private let timeout: Duration
    private let server: (any Sendable)?
    /// What has come in and belongs to no response yet; held by whoever reads.
    private let unread = Mutex<[UInt8]>([])

    /// A connection over a connected, non-blocking socket, which it then closes; `server` lives as long as it does.
    package convenience init(descriptor: Int32, host: String, timeout: Duration, server: (any Sendable)? = nil) {
        self.init(Socket(descriptor), host: host, timeout: timeout, server: server)
    }

    private init(_ socket: Socket, host: String, timeout: Duration, server: (any Sendable)? = nil) {
        self.server = server
        self.socket = socket
        self.host = host
        self.timeout = timeout
    }

    /// A connection to the server at `host` and `port`; a name with several addresses is tried in their order.
    ///
    /// - Parameters:
    ///   - timeout: The time that each operation, this one included, may take.
    ///   - receiveBufferSize: The kernel's buffer in bytes, for a test of a client that does not read; `nil` leaves the
    ///     size to the kernel.
    /// - Throws: ``HTTPClientError``.
    public static func connect(
        host: String = "127.0.0.1",
        port: Int,
        timeout: Duration = .seconds(60),
        receiveBufferSize: Int? = nil
    ) async throws -> HTTPConnection {
        let socket = try await BlockingThread.run {
            try open(host, port, Deadline(after: timeout), receiveBufferSize)
        }
        let bracketed = host.contains(":") ? "[\(host)]" : host
        return HTTPConnection(socket, host: "\(bracketed):\(port)", timeout: timeout)
    }

    private static func open(
        _ host: String,
        _ port: Int,
        _ deadline: Deadline,
        _ receiveBufferSize: Int?
    ) throws -> Socket {
        var reasons: [String] = []
        for address in try SocketAddress.resolve(host, port: port) {
            do {
                return try address.connect(receiveBufferSize: receiveBufferSize, before: deadline)
            } catch {
                reasons.append("\(HTTPClientError(error, waitingFor: "the handshake", received: []))")
            }
        }
        throw HTTPClientError.cannotConnect(to: "\(host):\(port)", reason: reasons.joined(separator: "; "))
    }

    /// Sends bytes as they are.
    ///
    /// - Throws: ``HTTPClientError``; a peer that no longer reads is ``HTTPClientError/reset(waitingFor:received:)``.
    public func send(_ bytes: [UInt8]) async throws {
        let deadline = Deadline(after: timeout)
        try await BlockingThread.run { [socket] in
            var written = 0
            do {
                try socket.write(bytes, written: &written, before: deadline)
            } catch {
                let purpose = "the peer to take \(bytes.count) bytes (it took \(written))"
                throw HTTPClientError(error, waitingFor: purpose, received: [])
            }
        }
    }

    /// Sends text as it is, in UTF-8; line ends are the caller's.
    public func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    /// Sends a request, adding `Host` and `Content-Length` where `headers` has neither of them nor a transfer encoding.
    public func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: Headers = [:],
        body: [UInt8] = []
    ) async throws {
        var bytes = Array("\(method.rawValue) \(path) HTTP/1.1\r\n".utf8)
        if headers["Host"] == nil { bytes += "Host: \(host)\r\n".utf8 }
        if needsLength(method, headers, body) {
            bytes += "Content-Length: \(body.count)\r\n".utf8
        }
        for field in headers.list { bytes += "\(field.name.rawName): \(field.value)\r\n".utf8 }
        try await send(bytes + "\r\n".utf8 + body)
    }

    private func needsLength(_ method: HTTPRequest.Method, _ headers: Headers, _ body: [UInt8]) -> Bool {
        guard !headers.contains(.contentLength), !headers.contains(.transferEncoding) else { return false }
        return !body.isEmpty || [.post, .put, .patch].contains(method)
    }

    /// The next response; a 1xx is one of its own.
    ///
    /// - Parameter method: The method of the request that it answers: a response to `HEAD` has no body.
    /// - Throws: ``HTTPClientError``; what came in stays and can be read again.
    public func readResponse(to method: HTTPRequest.Method = .get) async throws -> HTTPClient.Response {
        try await reading { incoming in
            var reader = ResponseReader(incoming: incoming, method: method)
            defer { incoming = reader.incoming }
            do {
                return try reader.read()
            } catch {
                reader.incoming.rewind()
                throw error
            }
        }
    }

    /// What has come in, waiting for at least one byte; empty once the peer has finished.
    public func receive() async throws -> [UInt8] {
        try await reading { incoming in Array(try incoming.takeAvailable(of: "bytes from the peer")) }
    }

    /// All bytes until the peer closes its side.
    public func readToEnd() async throws -> [UInt8] {
        try await reading { incoming in Array(try incoming.takeToEnd(of: "the peer to close the connection")) }
    }

    /// Returns when the peer has closed its side, whether or not there is something left to read.
    public func waitForClose() async throws {
        let deadline = Deadline(after: timeout)
        try await BlockingThread.run { [socket] in
            do {
                try socket.waitForEnd(before: deadline)
            } catch {
                throw HTTPClientError(error, waitingFor: "the peer to close the connection", received: [])
            }
        }
    }

    /// Whether the peer has closed its side, as far as the kernel knows now; ``waitForClose()`` waits for it.
    public var isClosedByPeer: Bool {
        socket.isAtEnd
    }

    /// Closes this side for sending (FIN); responses can still be read.
    public func shutdownWrite() throws {
        do {
            try socket.shutdownWrite()
        } catch {
            throw HTTPClientError(error, waitingFor: "the half-close", received: [])
        }
    }

    /// Closes the connection; an operation in flight ends. To close twice is no error.
    public func close() {
        socket.close()
    }

    /// Closes the connection with RST, as a client that crashed; an operation in flight ends.
    public func reset() {
        socket.reset()
    }

    /// Reads off the pool, putting back what `body` did not take.
    private func reading<Value: Sendable>(
        _ body: @escaping @Sendable (inout IncomingBytes) throws -> Value
    ) async throws -> Value {
        let deadline = Deadline(after: timeout)
        return try await BlockingThread.run { [self] in
            try unread.withLock { unread in
                var incoming = IncomingBytes(unread) { [socket] in try socket.read(into: &$0, before: deadline) }
                defer { unread = incoming.rest }
                return try body(&incoming)
            }
        }
    }
}
