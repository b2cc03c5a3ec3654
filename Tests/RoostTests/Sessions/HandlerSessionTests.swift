import Logging
import RoostTesting
import Testing

@testable import Roost

/// Event streams and WebSockets whose handlers ask for the session: by then the response has gone.
@Suite("Sessions in the handlers of what lasts", .timeLimit(.minutes(5)))
struct HandlerSessionTests {
    /// Of each test: those that run at the same time share what the process knows of open streams.
    private let token = String((0..<32).compactMap { _ in "0123456789abcdef".randomElement() })
    private var owner: String { "owner of " + token }
    private var cookie: Headers { [.cookie: "session=\(token)"] }

    private let store = MemorySessionStore()
    private let log = LogLines()
    /// Holds up the handlers that wait for it.
    private let gate = Latch()

    private func client(_ other: (any SessionStore)? = nil) throws -> TestClient {
        store.save(["owner": owner], for: token)
        return try withLogger(log.logger) { _ in
            try TestClient(middleware: [Sessions(other ?? store, isHTTPS: false)]) { routes in
                routes.get(Path("/end")) { request in
                    try await request.session.end()
                    return "ended"
                }
                streams(routes)
                sockets(routes)
            }
        }
    }

    private func streams(_ routes: Routes) {
        routes.events(Path("/events")) { [gate] request, events in
            guard try await request.session["owner"] != nil else { throw HTTPError(.unauthorized) }
            try await events.send(ServerSentEvent("hello"))
            await gate.wait()
        }
        routes.events(Path("/public")) { [gate] _, events in
            try await events.send(ServerSentEvent("hello"))
            await gate.wait()
            try await events.send(ServerSentEvent("goodbye"))
        }
        routes.events(Path("/empty")) { _, _ in }
        routes.events(Path("/asks")) { request, _ in _ = try await request.session }
    }

    private func sockets(_ routes: Routes) {
        routes.webSocket(Path("/socket")) { socket, request in
            guard try await request.session["owner"] != nil else { throw HTTPError(.unauthorized) }
            try await socket.send("hello")
            for try await message in socket { try await socket.send(message) }
        }
        routes.webSocket(Path("/leave")) { socket, request in
            for try await _ in socket { try await request.session.end() }
        }
        routes.webSocket(Path("/change")) { socket, request in
            try await Self.change(try await request.session, socket)
        }
        routes.get(Path("/asked-before")) { request -> Response in
            let session = try await request.session
            return try .webSocket(to: request) { socket in try await Self.change(session, socket) }
        }
        routes.get(Path("/renewed-before")) { request -> Response in
            let session = try await request.session
            session.renew()
            return try .webSocket(to: request) { socket in
                session.end()
                try await socket.send("ended")
            }
        }
    }

    private static func change(_ session: Session, _ socket: WebSocket) async throws {
        session["seen"] = "1"
        session["seen"] = "2"
        session.renew()
        try await socket.send(session["seen"] ?? "none")
    }

    private var errors: [String] { log.allWithLevels.filter { $0.hasPrefix("error ") } }

    private enum Way: CaseIterable, Sendable { case visitor, owner }

    private func end(_ way: Way, _ client: TestClient) async throws {
        switch way {
        case .visitor: _ = try await client.get("/end", headers: cookie)
        case .owner: store.endAll(of: owner, except: nil)
        }
    }

    @Test(arguments: Way.allCases)
    private func `an event stream ends with the session that its handler has looked up`(way: Way) async throws {
        let client = try client()
        let events = try await client.events("/events", headers: cookie)
        #expect(try await events.next()?.data == "hello")
        try await end(way, client)
        #expect(try await events.next() == nil)
        #expect(!events.brokeOff)
    }

    @Test(arguments: Way.allCases)
    private func `a WebSocket is closed with the session that its handler has looked up`(way: Way) async throws {
        let client = try client()
        let socket = try await client.webSocket("/socket", headers: cookie)
        #expect(try await socket.receive() == .text("hello"))
        try await end(way, client)
        #expect(try await socket.receive() == nil)
        #expect(socket.closed == WebSocketClosed(code: .policyViolation, reason: "The session has ended."))
    }

    /// A store whose sessions end as soon as they have been looked up.
    private struct Ending: SessionStore {
        func values(for token: String) -> [String: String]? { ["owner": "7"] }
        func save(_ values: [String: String], for token: String) {}
        func update(_ values: [String: String], for token: String) {}
        func remove(_ token: String) {}
        func isAlive(_ token: String) -> Bool { false }
    }

    @Test func `a session that ends while a handler looks it up ends the stream, too`() async throws {
        let events = try await client(Ending()).events("/events", headers: cookie)
        while try await events.next() != nil {}
        #expect(!events.brokeOff)
    }

    @Test func `a stream whose handler does not ask goes on after the end of the session`() async throws {
        let client = try client()
        let events = try await client.events("/public", headers: cookie)
        #expect(try await events.next()?.data == "hello")
        try await end(.visitor, client)
        gate.open()
        #expect(try await events.next()?.data == "goodbye")
        #expect(try await events.next() == nil)
    }

    @Test(arguments: ["/empty", "/asks"])
    func `what waits for the end of a session ends with the stream`(path: String) async throws {
        let events = try await client().events(path, headers: cookie)
        #expect(try await events.next() == nil)
        #expect(!events.brokeOff)
    }

    @Test(arguments: ["/change", "/asked-before"])
    func `a change after the response is not saved, and is one error in the log`(path: String) async throws {
        let socket = try await client().webSocket(path, headers: cookie)
        #expect(try await socket.receive() == .text("2"))
        #expect(store.values(for: token) == ["owner": owner])
        #expect(errors.count == 1 && errors[0].contains(#"the value "seen" of a session was set"#), "\(errors)")
    }

    @Test func `a session that a message ends is gone at once, and so is the WebSocket`() async throws {
        let socket = try await client().webSocket("/leave", headers: cookie)
        try await socket.send("bye")
        #expect(try await socket.receive() == nil)
        #expect(socket.closed == WebSocketClosed(code: .policyViolation, reason: "The session has ended."))
        #expect(store.values(for: token) == nil)
        #expect(errors == [])
    }

    @Test func `an end after a response with a new token is an error in the log`() async throws {
        let socket = try await client().webSocket("/renewed-before", headers: cookie)
        #expect(try await socket.receive() == .text("ended"))
        #expect(store.count == 1)
        #expect(errors.count == 1 && errors[0].contains("its token is new"), "\(errors)")
    }

    /// A store that is down.
    private struct Down: SessionStore {
        private struct Outage: Error {}

        func values(for token: String) throws -> [String: String]? { throw Outage() }
        func save(_ values: [String: String], for token: String) throws { throw Outage() }
        func update(_ values: [String: String], for token: String) throws { throw Outage() }
        func remove(_ token: String) throws { throw Outage() }
    }

    private func endLate(_ token: String, in store: any SessionStore) async {
        let keeper = SessionKeeper(store, cookieName: "session", path: "/", isHTTPS: false, log.logger)
        await keeper.endLate(token).value
    }

    @Test func `an end after the response that the store cannot bring about is an error in the log`() async {
        store.save([:], for: token)
        await endLate(token, in: store)
        #expect(store.count == 0)
        #expect(errors == [])
        let cookies = CookieSessionStore(key: .random())
        await endLate(cookies.cookieValue(of: ["owner": owner], for: ""), in: cookies)
        #expect(errors.count == 1 && errors[0].contains("cannot end it"), "\(errors)")
        await endLate(token, in: Down())
        #expect(errors.count == 2 && errors[1].contains("Outage()"), "\(errors)")
    }
}
