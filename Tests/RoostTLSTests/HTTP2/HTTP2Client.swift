import CNghttp2
import Roost
import RoostTLS
import RoostTesting

/// A client of HTTP/2 that controls every frame: bytes in, bytes out, and a server in the same process.
final class HTTP2Client {
    /// A frame (RFC 9113 §4.1).
    struct Frame {
        enum Kind: UInt8 {
            case data, headers, priority, reset, settings, promise, ping, goaway, windowUpdate, continuation
        }

        var kind: UInt8
        var flags: UInt8 = 0
        var stream: Int32 = 0
        var payload: [UInt8] = []

        init(_ kind: Kind, flags: UInt8 = 0, stream: Int32 = 0, _ payload: [UInt8] = []) {
            self.init(kind.rawValue, flags: flags, stream: stream, payload)
        }

        init(_ kind: UInt8, flags: UInt8, stream: Int32, _ payload: [UInt8]) {
            (self.kind, self.flags, self.stream, self.payload) = (kind, flags, stream, payload)
        }

        var bytes: [UInt8] {
            HTTP2Client.bytes(UInt32(payload.count)).dropFirst() + [kind, flags]
                + HTTP2Client.bytes(UInt32(bitPattern: stream)) + payload
        }

        func isKind(_ kind: Kind) -> Bool { self.kind == kind.rawValue }

        /// The code of a reset or of a GOAWAY.
        var code: UInt32 {
            payload.suffix(isKind(.goaway) ? payload.count - 4 : 4).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }

        static let endStream: UInt8 = 1
        static let endHeaders: UInt8 = 4
    }

    struct Response {
        var fields: [(name: String, value: String)] = []
        var body: [UInt8] = []
        /// The code with which the stream was reset; nil if it has ended in good order.
        var reset: UInt32?

        subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
        var status: String? { self[":status"] }
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    static let calm: UInt32 = 11

    let connection: HTTPConnection
    private var unread: [UInt8] = []
    private var inflater: OpaquePointer?
    private var responses: [Int32: Response] = [:]
    private var ended: Set<Int32> = []
    /// The codes of all GOAWAYs that have come, with the last stream of each.
    private(set) var goaways: [(last: UInt32, code: UInt32)] = []
    private(set) var pongs = 0
    private var stream: Int32 = -1

    init(to server: InProcessServer, from peer: PeerAddress = .local, settings: [UInt8] = []) async throws {
        connection = HTTPConnection(
            descriptor: try await server.connect(from: peer), host: "a", timeout: .seconds(60), server: server)
        nghttp2_hd_inflate_new(&inflater)
        try await connection.send(Self.preface + Frame(.settings, settings).bytes)
    }

    deinit { nghttp2_hd_inflate_del(inflater) }

    static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// A setting with its value.
    static func setting(_ id: UInt8, _ value: UInt32) -> [UInt8] { [0, id] + bytes(value) }

    // MARK: Sending

    func send(_ frames: Frame...) async throws { try await send(frames) }

    func send(_ frames: [Frame]) async throws { try await connection.send(frames.flatMap(\.bytes)) }

    /// A field as it is sent without compression (RFC 7541 §6.2.2).
    static func field(_ name: String, _ value: String) -> [UInt8] {
        [0] + string(Array(name.utf8)) + string(Array(value.utf8))
    }

    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var rest = bytes.count - 127
        var length: [UInt8] = [127]
        while rest >= 128 {
            length.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return length + [UInt8(rest)] + bytes
    }

    /// The number of the next stream.
    func nextStream() -> Int32 {
        stream += 2
        return stream
    }

    /// The fields of a request's head.
    static func head(_ method: String, _ path: String, _ fields: [(String, String)] = []) -> [UInt8] {
        let pseudo = [(":method", method), (":scheme", "http"), (":authority", "localhost"), (":path", path)]
        return (pseudo + fields).flatMap { field($0.0, $0.1) }
    }

    /// The fields of a request for a WebSocket (RFC 8441 §5.1).
    static func connect(_ path: String, _ fields: [(String, String)] = [], protocol name: String = "websocket")
        -> [UInt8]
    {
        head("CONNECT", path, [(":protocol", name), ("sec-websocket-version", "13")] + fields)
    }

    /// The frames of a request on a new stream.
    func frames(
        _ method: String, _ path: String, _ fields: [(String, String)] = [], body: [UInt8]? = nil
    ) -> [Frame] {
        let stream = nextStream()
        let flags = Frame.endHeaders | (body == nil ? Frame.endStream : 0)
        let block = Self.head(method, path, fields)
        var head = [Frame(.headers, flags: flags, stream: stream, Array(block.prefix(16_000)))]
        for start in stride(from: 16_000, to: block.count, by: 16_000) {
            head.append(Frame(.continuation, stream: stream, Array(block[start..<min(block.count, start + 16_000)])))
        }
        if head.count > 1 {
            head[0].flags &= ~Frame.endHeaders
            head[head.count - 1].flags = Frame.endHeaders
        }
        guard let body else { return head }
        let parts = stride(from: 0, to: max(body.count, 1), by: 16_000).map {
            Array(body[$0..<min(body.count, $0 + 16_000)])
        }
        return head
            + parts.enumerated().map {
                Frame(.data, flags: $0 == parts.count - 1 ? Frame.endStream : 0, stream: stream, $1)
            }
    }

    /// Sends a request and returns its response.
    @discardableResult
    func request(
        _ method: String, _ path: String, _ fields: [(String, String)] = [], body: [UInt8]? = nil
    ) async throws -> Response {
        try await send(frames(method, path, fields, body: body))
        return try await response(stream)
    }

    /// Gets a path.
    @discardableResult
    func request(_ path: String, _ fields: [(String, String)] = []) async throws -> Response {
        try await request("GET", path, fields)
    }

    // MARK: Receiving

    /// The next frame; nil when the server has closed.
    func next() async throws -> Frame? {
        while true {
            if unread.count >= 9 {
                let size = unread.prefix(3).reduce(0) { $0 << 8 | Int($1) }
                if unread.count >= 9 + size {
                    let stream = Int32(truncatingIfNeeded: unread[5..<9].reduce(0) { $0 << 8 | UInt32($1) })
                    let frame = Frame(unread[3], flags: unread[4], stream: stream, Array(unread[9..<(9 + size)]))
                    unread.removeFirst(9 + size)
                    note(frame)
                    // What it says holds from then on.
                    if frame.isKind(.settings), frame.flags == 0 { try? await send(Frame(.settings, flags: 1)) }
                    return frame
                }
            }
            let more = try await connection.receive()
            if more.isEmpty { return nil }
            unread += more
        }
    }

    private func note(_ frame: Frame) {
        switch Frame.Kind(rawValue: frame.kind) {
        case .headers: inflate(frame.payload, into: frame.stream)
        case .data: responses[frame.stream, default: Response()].body += frame.payload
        case .reset: responses[frame.stream, default: Response()].reset = frame.code
        case .goaway: goaways.append((frame.payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }, frame.code))
        case .ping: pongs += 1
        default: return
        }
        let isLast = frame.flags & Frame.endStream != 0 && (frame.isKind(.headers) || frame.isKind(.data))
        if isLast || frame.isKind(.reset) { ended.insert(frame.stream) }
    }

    private func inflate(_ block: [UInt8], into stream: Int32) {
        var rest = block[...]
        while true {
            var pair = nghttp2_nv()
            var flags: Int32 = 0
            let size = rest.withUnsafeBufferPointer {
                nghttp2_hd_inflate_hd2(inflater, &pair, &flags, $0.baseAddress, $0.count, 1)
            }
            guard size >= 0 else { return }
            rest = rest.dropFirst(size)
            if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
                let text = { String(decoding: UnsafeBufferPointer(start: $0, count: $1), as: UTF8.self) }
                responses[stream, default: Response()].fields
                    .append((text(pair.name, pair.namelen), text(pair.value, pair.valuelen)))
            }
            if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 || (rest.isEmpty && size == 0) { break }
        }
        nghttp2_hd_inflate_end_headers(inflater)
    }

    /// The bytes of a response's body that have come.
    func body(_ stream: Int32) -> [UInt8] { responses[stream]?.body ?? [] }

    /// The whole response on a stream.
    func response(_ stream: Int32) async throws -> Response {
        while !ended.contains(stream) {
            guard try await next() != nil else { throw ConnectionEnded(goaways: goaways.map(\.code)) }
        }
        return responses[stream] ?? Response()
    }

    /// Reads until the server closes; returns the code of the last GOAWAY.
    func end() async throws -> UInt32? {
        while try await next() != nil {}
        return goaways.last?.code
    }

    struct ConnectionEnded: Error {
        let goaways: [UInt32]
    }
}
