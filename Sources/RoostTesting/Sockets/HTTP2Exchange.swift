import HTTPTypes
import Roost

/// One request over HTTP/2 and its response, on a connection of their own (RFC 9113), which begins without asking.
///
/// It refuses what a server may not write, and takes whatever the server sends: its own windows never shut.
struct HTTP2Exchange: ~Copyable {
    private let connection: any ByteConnection
    private var unread: [UInt8] = []
    /// The bytes that the server still takes: on the stream, on the connection, and on a new stream.
    private var (window, connectionWindow, initialWindow) = (65_535, 65_535, 65_535)
    private var block: [UInt8] = []
    private var response: WireClient.Response?
    private var hasEnded = false

    init(on connection: any ByteConnection) { self.connection = connection }

    private enum Kind {
        static let (data, headers, reset, settings, ping, goaway): (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) =
            (0, 1, 3, 4, 6, 7)
        static let (windowUpdate, continuation): (UInt8, UInt8) = (8, 9)
    }

    private static let (endStream, acknowledged, endHeaders): (UInt8, UInt8, UInt8) = (1, 1, 4)

    private static func frame(_ kind: UInt8, flags: UInt8 = 0, stream: UInt32 = 1, _ payload: [UInt8]) -> [UInt8] {
        bytes(UInt32(payload.count)).dropFirst() + [kind, flags] + bytes(stream) + payload
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func number(_ bytes: some Collection<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    // MARK: The request

    /// Sends a request and reads its response.
    /// - Parameter host: The authority, unless the fields have a `Host`.
    /// - Throws: ``WireClientError``.
    consuming func request(
        _ method: HTTPRequest.Method, _ path: String, host: String, headers: Headers, body: [UInt8]
    ) async throws -> WireClient.Response {
        // No table, no pushes, and windows as large as they may be.
        let settings: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 4, 0x7F, 0xFF, 0xFF, 0xFF]
        let start =
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Self.frame(Kind.settings, stream: 0, settings)
            + Self.frame(Kind.windowUpdate, stream: 0, Self.bytes(0x7FFF_0000))
        var headers = headers
        if HTTPConnection.needsLength(method, headers, body) { headers[.contentLength] = "\(body.count)" }
        try await connection.send(start + Self.head(method, path, host, headers, endsStream: body.isEmpty))
        var rest = body[...]
        while !hasEnded {
            let count = min(rest.count, window, connectionWindow, 16_384)
            guard count > 0 else {
                try await readFrame()
                continue
            }
            let piece = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            (window, connectionWindow) = (window - count, connectionWindow - count)
            try await connection.send(Self.frame(Kind.data, flags: rest.isEmpty ? Self.endStream : 0, piece))
        }
        guard let response else { throw malformed("it has no head") }
        return response
    }

    /// The fields that name the connection or its framing (RFC 9113 §8.2.2), which HTTP/2 does not have.
    private static let left: Set<String> = [
        "host", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    private static func head(
        _ method: HTTPRequest.Method, _ path: String, _ host: String, _ headers: Headers, endsStream: Bool
    ) -> [UInt8] {
        var pseudo = [(":method", method.rawValue), (":scheme", "http"), (":path", path)]
        pseudo.append((":authority", headers["Host"] ?? host))
        let fields = headers.list.map { ($0.name.canonicalName, $0.value) }.filter { !left.contains($0.0) }
        let block = (pseudo + fields).flatMap { FieldBlock.field($0.0, $0.1) }
        var frames: [UInt8] = []
        for start in stride(from: 0, to: block.count, by: 16_384) {
            let part = Array(block[start..<min(start + 16_384, block.count)])
            let flags =
                (start == 0 && endsStream ? endStream : 0) | (start + part.count == block.count ? endHeaders : 0)
            frames += frame(start == 0 ? Kind.headers : Kind.continuation, flags: flags, part)
        }
        return frames
    }

    // MARK: The response

    private mutating func take(_ count: Int) async throws -> ArraySlice<UInt8> {
        while unread.count < count {
            let more = try await connection.receive()
            if more.isEmpty { throw WireClientError.closed(waitingFor: "the response", received: unread) }
            unread += more
            if unread.starts(with: "HTTP/1.".utf8) {
                throw malformed("the application does not speak HTTP/2, which the service TLS() does")
            }
        }
        defer { unread.removeFirst(count) }
        return unread[..<count]
    }

    private mutating func readFrame() async throws {
        let head = Array(try await take(9))
        let payload = Array(try await take(Self.number(head[..<3])))
        let (kind, flags, stream) = (head[3], head[4], Self.number(head[5...]))
        switch kind {
        case Kind.settings where flags & Self.acknowledged == 0:
            try noteSettings(payload)
            try await connection.send(Self.frame(Kind.settings, flags: Self.acknowledged, stream: 0, []))
        case Kind.ping where flags & Self.acknowledged == 0:
            try await connection.send(Self.frame(Kind.ping, flags: Self.acknowledged, stream: 0, payload))
        case Kind.windowUpdate:
            if stream == 0 { connectionWindow += Self.number(payload) } else { window += Self.number(payload) }
        case Kind.headers, Kind.continuation: try noteHead(payload, flags, isFirst: kind == Kind.headers)
        case Kind.data:
            guard response != nil else { throw malformed("a body comes before its head") }
            response?.body += payload
            if flags & Self.endStream != 0 { hasEnded = true }
        case Kind.reset:
            // The rest of the request may be unwanted (RFC 9113 §8.1).
            if !hasEnded { throw malformed("the stream was reset with code \(Self.number(payload))") }
        case Kind.goaway where Self.number(payload.dropFirst(4).prefix(4)) != 0:
            throw malformed("the connection ended with code \(Self.number(payload.dropFirst(4).prefix(4)))")
        default: break
        }
    }

    private mutating func noteSettings(_ payload: [UInt8]) throws {
        guard payload.count % 6 == 0 else { throw malformed("settings have a wrong length") }
        for place in stride(from: 0, to: payload.count, by: 6) where Self.number(payload[place..<(place + 2)]) == 4 {
            let size = Self.number(payload[(place + 2)..<(place + 6)])
            window += size - initialWindow
            initialWindow = size
        }
    }

    private mutating func noteHead(_ part: [UInt8], _ flags: UInt8, isFirst: Bool) throws {
        if isFirst, flags & Self.endStream != 0 { hasEnded = true }
        block += part
        guard flags & Self.endHeaders != 0 else { return }
        defer { block = [] }
        guard let fields = try? FieldBlock.fields(block) else { throw malformed("its head is not HPACK") }
        guard fields.first?.name == ":status", let code = Int(fields[0].value), 100...599 ~= code else {
            throw malformed("its head does not begin with a status")
        }
        var headers = Headers()
        for (name, value) in fields.dropFirst() {
            guard let name = HTTPField.Name(name), name.rawName == name.canonicalName, !Self.left.contains(name.rawName)
            else { throw malformed("its field \(name) may not be in HTTP/2") }
            headers.append(name, value)
        }
        // An interim response (1xx) is not the response.
        if code >= 200 { response = WireClient.Response(status: HTTPResponse.Status(code: code), headers: headers) }
    }

    private func malformed(_ problem: String) -> WireClientError {
        .malformed(problem, received: block.isEmpty ? unread : block)
    }
}

/// A connection that bytes are sent and received on.
protocol ByteConnection: Sendable {
    func send(_ bytes: [UInt8]) async throws
    /// The bytes that have arrived, at least one; none once the peer has finished.
    func receive() async throws -> [UInt8]
}

extension HTTPConnection: ByteConnection {}
