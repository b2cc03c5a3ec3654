import HTTPTypes
public import Roost
import Synchronization

/// An event stream that a test follows; ``TestClient/events(_:headers:)`` opens one.
///
/// An event that is published before the handler has subscribed is lost. So let the handler subscribe, then send an
/// event of its own, and wait for that one:
///
///     let events = try await client.events("/rooms/1/events")
///     #expect(try await events.next()?.name == "plan")
///     _ = try await client.post("/rooms/1/bookings", json: booking)
///     #expect(try await events.next()?.name == "booked")
public final class TestEvents: Sendable {
    /// An event as a script in a page gets it.
    public struct Event: Sendable, Equatable {
        /// The name of the event; `message` if it has none.
        public let name: String
        /// The data of the event.
        public let data: String
        /// The id of the last event that had one; empty if none had.
        public let id: String
    }

    private struct State {
        var reader = EventStreamReader()
        var taken = 0
        var hasEnded = false
        var brokeOff = false
    }

    private let connection: HTTPConnection
    private let state = Mutex(State())

    init(_ connection: HTTPConnection) { self.connection = connection }

    deinit { connection.close() }

    /// Whether the stream ended before it was complete, because its handler threw, say, or the test closed it; known
    /// once ``next()`` has returned nil.
    public var brokeOff: Bool { state.withLock { $0.brokeOff } }

    /// Waits for the next event and returns it; nil once the stream has ended, even if it ``brokeOff``.
    /// - Throws: ``WireClientError`` when none comes in time.
    public func next() async throws -> Event? {
        while true {
            if let event = state.withLock({ Self.take(from: &$0) }) { return event }
            if state.withLock({ $0.hasEnded }) { return nil }
            let chunk = try await readChunk()
            state.withLock { state in
                if let chunk { state.reader.read(chunk) } else { state.hasEnded = true }
            }
        }
    }

    /// The next chunk; nil at the end of the stream, also one that breaks off.
    private func readChunk() async throws -> [UInt8]? {
        do {
            return try await connection.reading { incoming in
                try ResponseReader.reading(&incoming, to: .get) { reader in try reader.chunk(of: "an event") }
            }
        } catch WireClientError.closed {
            state.withLock { $0.brokeOff = true }
            return nil
        }
    }

    /// Closes the stream, as a browser does when its page is closed.
    public func close() { connection.close() }

    private static func take(from state: inout State) -> Event? {
        guard state.taken < state.reader.events.count else { return nil }
        let event = state.reader.events[state.taken]
        state.taken += 1
        return Event(name: event.type, data: event.data, id: event.lastID)
    }

    fileprivate static func readHead(_ incoming: inout IncomingBytes) throws -> Headers {
        try ResponseReader.reading(&incoming, to: .get) { reader in
            let head = try reader.head()
            let isStream = head.headers[.contentType]?.hasPrefix("text/event-stream") == true
            guard head.status == .ok, isStream, head.headers[.transferEncoding] == "chunked" else {
                throw reader.incoming.malformed("it is no event stream")
            }
            return head.headers
        }
    }
}

extension TestClient {
    /// Follows an event stream, with the cookies that the client has, over HTTP/1. It returns when the head of the
    /// response has come; the handler may not have subscribed to anything yet. If it waits before it returns the
    /// response, call this in a task of its own.
    /// - Parameter headers: More fields, such as `Last-Event-ID`.
    /// - Throws: ``WireClientError``, also for a response that is no event stream.
    public func events(_ path: String, headers: Headers = [:]) async throws -> TestEvents {
        let connection = try await connect()
        // Also from a client whose other requests ask for pages.
        let headers = fields(Headers(.accept, "text/event-stream").merging(headers), for: path)
        try await connection.send(.get, path, headers: headers)
        let fields = try await connection.reading { try TestEvents.readHead(&$0) }
        keepCookies(of: fields, from: path, sent: headers)
        return TestEvents(connection)
    }
}
