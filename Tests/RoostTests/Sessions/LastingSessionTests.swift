import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// Event streams and WebSockets end with the session that has opened them.
@Suite("Sessions of what lasts", .timeLimit(.minutes(5)))
struct LastingSessionTests {
    /// Of each test: those that run at the same time share what the process knows of open streams.
    private let token = String((0..<32).compactMap { _ in "0123456789abcdef".randomElement() })
    private var owner: String { "owner of " + token }
    private var cookie: String { "session=\(token)" }
    private var id: String { Session.id(of: Session.digest(ofToken: token)) }

    /// Asks for the session, as a guard does.
    private struct Asking: Middleware {
        func respond(to request: Request, next: Next) async throws -> Response {
            guard try await request.session["owner"] != nil else { throw HTTPError(.unauthorized) }
            return try await next(request)
        }
    }

    private struct News: ServerSentEventConvertible, Encodable { let text: String }

    private let topic = Topic<News>()

    private func client(_ store: MemorySessionStore) throws -> TestClient {
        store.save(["owner": owner], for: token)
        return try TestClient(host: "localhost", middleware: [Sessions(store, isHTTPS: false)]) { [topic] routes in
            routes.get(Path("/end")) { request in
                try await request.session.end()
                return "ended"
            }
            routes.group(middleware: [Asking()]) { routes in
                routes.events(Path("/events")) { _, events in try await events.send(topic.subscribe()) }
                routes.webSocket(Path("/socket")) { socket, _ in
                    try await socket.send("hello")
                    for try await message in socket { try await socket.send(message) }
                }
            }
        }
    }

    private func read(_ connection: HTTPConnection, until end: String) async throws {
        var text = ""
        while !text.contains(end) {
            let bytes = try await connection.receive()
            try #require(!bytes.isEmpty, "the connection ended before: \(end)")
            text += String(decoding: bytes, as: UTF8.self)
        }
    }

    private enum Way: CaseIterable, Sendable { case visitor, one, all }

    private func end(_ way: Way, _ client: TestClient, _ store: MemorySessionStore) async throws {
        switch way {
        case .visitor: _ = try await client.get("/end", headers: [.cookie: cookie])
        case .one: #expect(store.end(id, of: owner))
        case .all: store.endAll(of: owner, except: nil)
        }
    }

    @Test(arguments: Way.allCases) private func `an event stream ends with its session`(way: Way) async throws {
        let store = MemorySessionStore()
        let client = try client(store)
        let connection = try await client.connect()
        try await connection.send("GET /events HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n")
        try await read(connection, until: "id: ")
        // Another session ends, and one of the same owner that is not meant.
        store.save(["owner": "8"], for: String(repeating: "b", count: 32))
        store.endAll(of: "8", except: nil)
        store.endAll(of: owner, except: id)
        topic.publish(News(text: "first"))
        try await read(connection, until: "first")
        try await end(way, client, store)
        // It says when to come back, and the connection ends.
        #expect(String(decoding: try await connection.readToEnd(), as: UTF8.self).contains("retry: "))
    }

    @Test(arguments: Way.allCases) private func `a WebSocket is closed with its session`(way: Way) async throws {
        let store = MemorySessionStore()
        let client = try client(store)
        let socket = try await client.webSocket("/socket", headers: [.cookie: cookie])
        #expect(try await socket.receive() == .text("hello"))
        try await end(way, client, store)
        #expect(try await socket.receive() == nil)
        #expect(socket.closed == WebSocketClosed(code: .policyViolation, reason: "The session has ended."))
    }

    /// A store that cannot be asked at first, and knows nothing of the end that another instance has noted.
    private final class Shared: SessionStore {
        private let asked = Mutex(0)

        func values(for token: String) -> [String: String]? { [:] }
        func save(_ values: [String: String], for token: String) {}
        func update(_ values: [String: String], for token: String) {}
        func remove(_ token: String) {}

        func isAlive(_ token: String) throws -> Bool {
            let count = asked.withLock { count in
                count += 1
                return count
            }
            if count == 1 { throw HTTPError(.serviceUnavailable) }
            return count < 3
        }

        var count: Int { asked.withLock { $0 } }
    }

    @Test func `the end that another instance has noted is noticed by asking`() async throws {
        let (store, ended) = (Shared(), Latch())
        let watch = SessionWatch(store: store, token: token, owner: nil) { await Task.yield() }
        await watch { ended.open() }
        await ended.wait()
        #expect(store.count == 3)
    }

    @Test func `asking whether a session is alive does not keep it alive`() {
        let store = MemorySessionStore(idleTimeout: .zero)
        store.save([:], for: token)
        #expect(!store.isAlive(token))
        #expect(!MemorySessionStore().isAlive(token))
    }
}
