package import Roost
import Synchronization

/// One TCP connection to a server, on which a test controls every byte.
///
/// Requests are sent raw (``send(_:)-(String)``) or composed. Responses are read one at a time, which is all that
/// keep-alive and pipelining need. Every operation fails after the connection's timeout. One task may send while
/// another reads. The connection closes when it is no longer referenced.
package final class HTTPConnection: Sendable {
    private let socket: Socket
    private let host: String
    private let timeout: Duration
    private let server: (any Sendable)?
    /// The bytes that have arrived and belong to no response yet; locked while a task reads.
    private let unread = Mutex<[UInt8]>([])

    /// Uses a connected, non-blocking socket, which it closes in the end; it keeps `server` alive until then.
    package convenience init(descriptor: Int32, host: String, timeout: Duration, server: (any Sendable)? = nil) {
        self.init(Socket(descriptor), host: host, timeout: timeout, server: server)
    }

    private init(_ socket: Socket, host: String, timeout: Duration, server: (any Sendable)? = nil) {
        self.server = server
        self.socket = socket
        self.host = host
        self.timeout = timeout
    }

    /// Connects to the server at `host` and `port`; if a name has several addresses, they are tried in order.
    ///
    /// - Parameters:
    ///   - timeout: The time that each operation may take, including this one.
    ///   - receiveBufferSize: The size of the kernel's buffer in bytes, to test a client that does not read; `nil`
    ///     leaves it to the kernel.
    ///   - hostField: The value of `Host` in requests; by default `host` and `port`.
    /// - Throws: ``WireClientError``.
    package static func connect(
        host: String = "127.0.0.1",
        port: Int,
        timeout: Duration = .seconds(60),
        receiveBufferSize: Int? = nil,
        hostField: String? = nil
    ) async throws -> HTTPConnection {
        let socket = try await BlockingThread.run {
            try open(host, port, Deadline(after: timeout), receiveBufferSize)
        }
        let bracketed = host.contains(":") ? "[\(host)]" : host
        return HTTPConnection(socket, host: hostField ?? "\(bracketed):\(port)", timeout: timeout)
    }

    private static func open(
        _ host: String,
        _ port: Int,
        _ deadline: Deadline,
        _ receiveBufferSize: Int?
    ) throws -> Socket {
        var reasons: [String] = []
        do {
            for address in try SocketAddress.lookUp(host, port: port) {
                do {
                    return try address.connect(receiveBufferSize: receiveBufferSize, before: deadline)
                } catch {
                    reasons.append("\(WireClientError(error, waitingFor: "the handshake", received: []))")
                }
            }
        } catch {
            reasons = ["\(error)"]
        }
        throw WireClientError.cannotConnect(to: "\(host):\(port)", reason: reasons.joined(separator: "; "))
    }

    /// Sends bytes unchanged.
    ///
    /// - Throws: ``WireClientError``; if the peer no longer reads, ``WireClientError/reset(waitingFor:received:)``.
    package func send(_ bytes: [UInt8]) async throws {
        let deadline = Deadline(after: timeout)
        try await BlockingThread.run { [socket] in
            var written = 0
            do {
                try socket.write(bytes, written: &written, before: deadline)
            } catch {
                let purpose = "the peer to take \(bytes.count) bytes (it took \(written))"
                throw WireClientError(error, waitingFor: purpose, received: [])
            }
        }
    }

    /// Sends text unchanged, in UTF-8; line ends are up to the caller.
    package func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    /// Sends a request. Adds `Host` if `headers` lack it, and `Content-Length` if they lack both it and
    /// `Transfer-Encoding`.
    package func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: Headers = [:],
        body: [UInt8] = []
    ) async throws {
        var bytes = Array("\(method.rawValue) \(path) HTTP/1.1\r\n".utf8)
        if headers["Host"] == nil { bytes += "Host: \(host)\r\n".utf8 }
        if Self.needsLength(method, headers, body) {
            bytes += "Content-Length: \(body.count)\r\n".utf8
        }
        for field in headers.list { bytes += "\(field.name.rawName): \(field.value)\r\n".utf8 }
        try await send(bytes + "\r\n".utf8 + body)
    }

    /// Whether a request of any protocol says the length of its body, which its fields do not.
    static func needsLength(_ method: HTTPRequest.Method, _ headers: Headers, _ body: [UInt8]) -> Bool {
        guard !headers.contains(.contentLength), !headers.contains(.transferEncoding) else { return false }
        return !body.isEmpty || [.post, .put, .patch].contains(method)
    }

    /// Reads the next response; a 1xx counts as a response.
    ///
    /// - Parameter method: The method of the request: a response to `HEAD` has no body.
    /// - Throws: ``WireClientError``; the bytes that arrived are kept and can be read again.
    package func readResponse(to method: HTTPRequest.Method = .get) async throws -> WireClient.Response {
        try await reading { incoming in
            try ResponseReader.reading(&incoming, to: method) { reader in try reader.read() }
        }
    }

    /// Reads all bytes that have arrived, waiting for at least one; empty once the peer has finished.
    package func receive() async throws -> [UInt8] {
        try await reading { incoming in Array(try incoming.takeAvailable(of: "bytes from the peer")) }
    }

    /// Reads all bytes until the peer closes its side.
    package func readToEnd() async throws -> [UInt8] {
        try await reading { incoming in Array(try incoming.takeToEnd(of: "the peer to close the connection")) }
    }

    /// Waits until the peer has closed its side, whether or not something is left to read.
    package func waitForClose() async throws {
        let deadline = Deadline(after: timeout)
        try await BlockingThread.run { [socket] in
            do {
                try socket.waitForEnd(before: deadline)
            } catch {
                throw WireClientError(error, waitingFor: "the peer to close the connection", received: [])
            }
        }
    }

    /// Whether the peer has closed its side, as far as the kernel knows now; ``waitForClose()`` waits for that.
    package var isClosedByPeer: Bool {
        socket.isAtEnd
    }

    /// Closes this side for sending (FIN); responses can still be read.
    package func shutdownWrite() throws {
        do {
            try socket.shutdownWrite()
        } catch {
            throw WireClientError(error, waitingFor: "the half-close", received: [])
        }
    }

    /// Closes the connection; operations under way end. Closing it twice is allowed.
    package func close() {
        socket.close()
    }

    /// Closes the connection with RST, as when a client crashes; operations under way end.
    package func reset() {
        socket.reset()
    }

    /// Reads on a blocking thread. Bytes that `body` did not use are kept, and all of them for a caller who has been
    /// cancelled: `body` must do nothing else with them than return them.
    func reading<Value: Sendable>(
        _ body: @escaping @Sendable (inout IncomingBytes) throws -> Value
    ) async throws -> Value {
        let deadline = Deadline(after: timeout)
        return try await BlockingThread.run { [self] in
            try unread.withLock { unread in
                var incoming = IncomingBytes(unread) { [socket] in try socket.read(into: &$0, before: deadline) }
                defer { unread = incoming.rest }
                let value = try body(&incoming)
                do {
                    try BlockingThread.commit()
                } catch {
                    incoming.rewind()
                    throw error
                }
                return value
            }
        }
    }
}
