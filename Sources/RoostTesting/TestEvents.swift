import HTTPTypes
public import Roost
import Synchronization

/// An event stream that a test follows; ``TestClient/events(_:headers:)`` opens one.
///
///     let events = try await client.events("/rooms/1/events")
///     _ = try await client.post("/rooms/1/bookings", json: booking)
///     #expect(try await events.next()?.name == "booked")
public final class TestEvents: Sendable {
    /// An event as a script in a page gets it.
    public struct Event: Sendable, Equatable {
        /// Its name; `message` if it has none.
        public let name: String
        /// Its data.
        public let data: String
        /// The id of the last event that had one; empty if none had.
        public let id: String
    }

    private struct State {
        var reader = EventStreamReader()
        var taken = 0
        /// The bytes of the head, until it is complete.
        var head: [UInt8]? = []
        var chunks = ChunkReader()
    }

    private let connection: HTTPConnection
    private let state = Mutex(State())

    init(_ connection: HTTPConnection) { self.connection = connection }

    deinit { connection.close() }

    /// The next event, which is waited for; nil when the application has ended the stream.
    /// - Throws: ``WireClientError`` when none comes in time, and for a response that is no event stream.
    public func next() async throws -> Event? {
        while true {
            if let event = state.withLock({ Self.take(from: &$0) }) { return event }
            if state.withLock({ $0.chunks.hasEnded }) { return nil }
            let bytes = try await connection.receive()
            if bytes.isEmpty { return nil }
            try state.withLock { try Self.read(bytes, &$0) }
        }
    }

    /// Leaves, as a browser whose page is closed.
    public func close() { connection.close() }

    private static func take(from state: inout State) -> Event? {
        guard state.taken < state.reader.events.count else { return nil }
        let event = state.reader.events[state.taken]
        state.taken += 1
        return Event(name: event.type, data: event.data, id: event.lastID)
    }

    private static func read(_ bytes: [UInt8], _ state: inout State) throws {
        guard let head = state.head.map({ $0 + bytes }) else { return state.reader.read(state.chunks.read(bytes)) }
        guard let end = head.firstRange(of: Array("\r\n\r\n".utf8)) else { return state.head = head }
        let text = String(decoding: head[..<end.lowerBound], as: UTF8.self)
        let fields = Array(text.lowercased().utf8)
        let expected = ["\ncontent-type: text/event-stream", "\ntransfer-encoding: chunked"]
        guard text.split(separator: " ").dropFirst().first == "200",
            expected.allSatisfy({ fields.firstRange(of: Array($0.utf8)) != nil })
        else {
            throw WireClientError.malformed("It is no event stream: \(text)", received: head)
        }
        state.head = nil
        state.reader.read(state.chunks.read(Array(head[end.upperBound...])))
    }
}

/// Takes the chunks of a body apart (RFC 9112 §7.1), as the server of this package writes them.
private struct ChunkReader {
    /// Whether the last chunk has been read.
    private(set) var hasEnded = false
    /// The digits of the chunk's size, until their line is complete.
    private var digits: [UInt8] = []
    /// The bytes of the chunk that are still to come, with the line end behind them.
    private var rest = 0

    mutating func read(_ bytes: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        for byte in bytes where !hasEnded {
            if rest > 0 {
                rest -= 1
                if rest > 1 { content.append(byte) }
            } else if byte == UInt8(ascii: "\n") {
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
                (digits, hasEnded, rest) = ([], size == 0, size + 2)
            } else if byte != UInt8(ascii: "\r") {
                digits.append(byte)
            }
        }
        return content
    }
}

extension TestClient {
    /// Follows an event stream, with the cookies that the client has, over HTTP/1.
    /// - Parameter headers: More fields, such as `Last-Event-ID`.
    /// - Throws: ``WireClientError``. A response that is no event stream is told by ``TestEvents/next()``.
    public func events(_ path: String, headers: Headers = [:]) async throws -> TestEvents {
        let connection = try await connect()
        var text = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nAccept: text/event-stream\r\n"
        if headers[.cookie] == nil, let cookies = cookieField(for: path) { text += "Cookie: \(cookies)\r\n" }
        for field in headers.list { text += "\(field.name.rawName): \(field.value)\r\n" }
        try await connection.send(text + "\r\n")
        return TestEvents(connection)
    }
}
