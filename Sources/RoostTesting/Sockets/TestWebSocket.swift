import HTTPTypes
public import Roost
import Synchronization

/// A client's WebSocket, on which a test sends and receives messages.
///
///     let socket = try await client.webSocket("/echo")
///     try await socket.send("hello")
///     #expect(try await socket.receive() == .text("hello"))
///
/// Pings are answered during a wait for a message. The connection closes when the WebSocket is no longer referenced.
public final class TestWebSocket: Sendable {
    /// The server's response to the handshake: status 101.
    public let response: WireClient.Response
    /// The code and the reason of the server's Close frame; nil until that has come.
    public var closed: WebSocketClosed? { state.withLock { $0.closed } }

    private let connection: HTTPConnection
    private let state: Mutex<State>

    private struct State {
        var codec: WebSocketClientCodec
        var events: [WebSocketClientCodec.Event] = []
        var closed: WebSocketClosed?
        var hasClosed = false
    }

    /// The largest message that a test can receive, in bytes.
    private static let maximumMessageSize = 64 << 20

    fileprivate init(_ connection: HTTPConnection, _ response: WireClient.Response) throws {
        self.connection = connection
        self.response = response
        let codec = try WebSocketClientCodec(
            maximumMessageSize: Self.maximumMessageSize,
            extensions: response.headers[.secWebSocketExtensions]
        )
        state = Mutex(State(codec: codec))
    }

    /// Sends a message; compressed, if the server has agreed to that.
    public func send(_ message: WebSocketMessage) async throws {
        try await connection.send(state.withLock { $0.codec.frames(of: message) })
    }

    /// Sends a text.
    public func send(_ text: String) async throws { try await send(.text(text)) }

    /// Sends bytes as they are, which need not be frames.
    package func send(raw bytes: [UInt8]) async throws { try await connection.send(bytes) }

    /// Sends a ping.
    package func ping(_ payload: [UInt8] = []) async throws {
        try await connection.send(state.withLock { $0.codec.frame(.ping, payload) })
    }

    /// Waits for the next message; nil when the server has sent a Close frame. It answers that frame, and waits for the
    /// end of the connection.
    /// - Throws: ``WireClientError``; an error if the server violates the protocol.
    public func receive() async throws -> WebSocketMessage? {
        while let event = try await nextEvent() {
            switch event {
            case .message(let message): return message
            case .ping(let payload): try await connection.send(state.withLock { $0.codec.frame(.pong, payload) })
            case .pong: break
            case .close: return nil
            }
        }
        return nil
    }

    /// Waits for the payload of the next pong; anything before it is dropped.
    package func receivePong() async throws -> [UInt8]? {
        try await skip { if case .pong(let payload) = $0 { payload } else { nil } }
    }

    /// Waits for the payload of the server's next ping, and does not answer it; anything before it is dropped.
    package func receivePing() async throws -> [UInt8]? {
        try await skip { if case .ping(let payload) = $0 { payload } else { nil } }
    }

    /// Drops events up to one that has what is wanted, and returns that; nil when nothing more comes.
    private func skip(to wanted: (WebSocketClientCodec.Event) -> [UInt8]?) async throws -> [UInt8]? {
        while let event = try await nextEvent() {
            if let payload = wanted(event) { return payload }
        }
        return nil
    }

    /// Closes in good order: sends a Close frame, and waits for the server's and for the end of the connection.
    /// Messages before that are dropped.
    /// - Returns: The server's code and reason.
    @discardableResult
    public func close(code: WebSocketCloseCode? = .normal, reason: String = "") async throws -> WebSocketClosed? {
        try await sendClose(code, reason)
        while try await receive() != nil {}
        return closed
    }

    /// Waits until the server has closed the connection; returns at once after its Close frame has been received.
    public func waitForEnd() async throws {
        if closed == nil { try await connection.waitForClose() }
    }

    /// Closes this side for sending, without a Close frame.
    package func shutdownWrite() throws { try connection.shutdownWrite() }

    /// Ends the connection without a Close frame, with RST.
    public func reset() { connection.reset() }

    private func sendClose(_ code: WebSocketCloseCode?, _ reason: String) async throws {
        let frame: [UInt8]? = state.withLock { state in
            if state.hasClosed { return nil }
            state.hasClosed = true
            return state.codec.close(code, reason)
        }
        if let frame { try await connection.send(frame) }
    }

    /// Returns the next event from the server; nil when nothing more comes.
    private func nextEvent() async throws -> WebSocketClientCodec.Event? {
        while true {
            let (event, isOver) = state.withLock { state in
                (state.events.isEmpty ? nil : state.events.removeFirst(), state.closed != nil)
            }
            if case .close(let code, let reason) = event {
                state.withLock { $0.closed = WebSocketClosed(code: code ?? .noStatus, reason: reason) }
                try await sendClose(code, "")
                _ = try await connection.readToEnd()
                connection.close()
            }
            if event != nil || isOver { return event }
            let bytes = try await connection.receive()
            if bytes.isEmpty { return nil }
            try state.withLock { $0.events += try $0.codec.receive(bytes) }
        }
    }
}

/// The error for a server's response other than 101 to a request for a WebSocket.
public struct WebSocketRefused: Error, CustomStringConvertible {
    /// The response.
    public let response: WireClient.Response

    /// A sentence with the status.
    public var description: String { "The server did not accept a WebSocket: \(response.status)" }
}

extension HTTPConnection {
    /// Turns this connection into a WebSocket. All earlier requests on it must have had their responses.
    /// - Parameter headers: More fields, or others instead of the handshake's own, such as
    ///   `[.secWebSocketExtensions: "permessage-deflate"]` for compression.
    /// - Throws: ``WebSocketRefused`` with the response when that is not 101; ``WireClientError``.
    public func webSocket(_ path: String, headers: Headers = [:]) async throws -> TestWebSocket {
        let key = WebSocketKey.random()
        var all: Headers = [
            .upgrade: "websocket", .connection: "Upgrade", .secWebSocketKey: key, .secWebSocketVersion: "13",
        ]
        for field in headers.list { all[field.name] = field.value }
        try await send(.get, path, headers: all)
        let response = try await readResponse()
        guard response.status == .switchingProtocols else { throw WebSocketRefused(response: response) }
        guard response.headers[.secWebSocketAccept] == WebSocketKey.accept(all[.secWebSocketKey] ?? "") else {
            throw WireClientError.malformed("Sec-WebSocket-Accept is not that of the key", received: [])
        }
        return try TestWebSocket(self, response)
    }
}
