import Engines
import Roost
import RoostTesting
import Testing

@testable import RoostSQL

/// Sessions that several requests change, renew or end at the same time, in each store.
@Suite("Sessions of several requests", .timeLimit(.minutes(5)))
struct SessionTests {
    /// The places of sessions; nil is the memory of the process.
    static let places: [Engine?] = [nil] + Engine.allCases

    /// A site with requests that wait for the test, with the session in hand.
    private struct Site: Sendable {
        let entered = Latch()
        let goOn = Latch()
        let store: any OwnedSessionStore
        let client: TestClient

        init(_ database: Database?) async throws {
            let store: any OwnedSessionStore = database.map { SQLSessionStore($0) } ?? MemorySessionStore()
            let (entered, goOn) = (entered, goOn)
            self.store = store
            let application = try Application(middleware: [Sessions(store, isHTTPS: false)]) { routes in
                routes.get(Path("/set/{name}/{value}", String.self, String.self)) { request, name, value in
                    try await request.session[name] = value
                    return "set"
                }
                routes.get(Path("/values")) { request in
                    let session = try await request.session
                    return ["a", "b", "c", "owner"].map { session[$0] ?? "-" }.joined(separator: " ")
                }
                routes.get(Path("/renew-at-once")) { request in
                    try await request.session.renew()
                    return "done"
                }
                for way in ["change", "renew", "renew-and-change"] {
                    routes.get(Path("/" + way)) { request in
                        let session = try await request.session
                        entered.open()
                        await goOn.wait()
                        if way.hasPrefix("renew") { session.renew() }
                        if way.hasSuffix("change") { (session["b"], session["c"]) = ("late", nil) }
                        return "done"
                    }
                }
            }
            client = TestClient(application)
            for (name, value) in [("a", "1"), ("c", "1"), ("owner", "7")] {
                _ = try await client.get("/set/\(name)/\(value)")
            }
        }

        static func run(_ place: Engine?, _ body: (Site) async throws -> Void) async throws {
            guard let place else { return try await body(Site(nil)) }
            try await place.run { (databases) async throws in
                try await Migrator(databases[0], [Migration("sessions", sql: SQLSessionStore.schema)]).run()
                try await body(Site(databases[0]))
            }
        }

        /// Makes a request, and does something while its handler has the session in hand.
        func get(_ path: String, meanwhile: () async throws -> Void) async throws -> WireClient.Response {
            async let response = client.get(path)
            await entered.wait()
            try await meanwhile()
            goOn.open()
            return try await response
        }
    }

    @Test(arguments: places)
    func `each request changes the names that it sets, and no others`(place: Engine?) async throws {
        try await Site.run(place) { site async throws in
            let response = try await site.get("/change") { _ = try await site.client.get("/set/a/2") }
            #expect(response.text == "done")
            #expect(try await site.client.get("/values").text == "2 late - 7")
            #expect(try await site.store.sessions(of: "7").count == 1)
        }
    }

    @Test(arguments: places)
    func `a session that is renewed goes on with all its values, and the old token is worthless`(
        place: Engine?
    ) async throws {
        try await Site.run(place) { site async throws in
            let token = try #require(site.client.cookie("session"))
            #expect(try await site.get("/renew-and-change") {}.text == "done")
            #expect(site.client.cookie("session") != token)
            #expect(try await site.client.get("/values").text == "1 late - 7")
            #expect(try await site.store.values(for: token) == nil)
            #expect(try await site.store.sessions(of: "7").count == 1)
        }
    }

    @Test(arguments: places)
    func `a renewal keeps what another request has changed meanwhile`(place: Engine?) async throws {
        try await Site.run(place) { site async throws in
            _ = try await site.get("/renew") { _ = try await site.client.get("/set/a/2") }
            #expect(try await site.client.get("/values").text == "2 - 1 7")
        }
    }

    @Test(arguments: places)
    func `of two renewals at the same time, one counts`(place: Engine?) async throws {
        try await Site.run(place) { site async throws in
            let response = try await site.get("/renew") { _ = try await site.client.get("/renew-at-once") }
            #expect(response.headers[.setCookie] == nil)
            #expect(try await site.client.get("/values").text == "1 - 1 7")
            #expect(try await site.store.sessions(of: "7").count == 1)
        }
    }

    @Test(arguments: places)
    func `a session that is ended meanwhile does not come back by being renewed`(place: Engine?) async throws {
        try await Site.run(place) { site async throws in
            let response = try await site.get("/renew") { try await site.store.endAll(of: "7", except: nil) }
            #expect(response.text == "done")
            #expect(response.headers[.setCookie] == nil)
            #expect(try await site.store.sessions(of: "7").isEmpty)
        }
    }

    @Test(arguments: places)
    func `after the end of a session, only what a request sets itself begins a new one`(place: Engine?) async throws {
        try await Site.run(place) { site async throws in
            let token = try #require(site.client.cookie("session"))
            _ = try await site.get("/renew-and-change") { try await site.store.remove(token) }
            #expect(site.client.cookie("session") != token)
            #expect(try await site.client.get("/values").text == "- late - -")
            #expect(try await site.store.sessions(of: "7").isEmpty)
        }
    }

    @Test(arguments: Engine.allCases.filter { $0 == .postgresql })
    func `a session that is used while others are swept stays`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await Migrator(database, [Migration("sessions", sql: SQLSessionStore.schema)]).run()
            let clock = TestClock()
            let store = withClock(clock) { SQLSessionStore(database) }
            for token in ["used", "idle"] { try await store.save(["a": token], for: token) }
            clock.advance(by: .hours(1))
            let count = try await database.transaction { transaction in
                let key = Session.key(ofToken: "used")
                try await transaction.execute("UPDATE sessions SET used_at = used_at + 3600 WHERE token_hash = \(key)")
                return try await Task.detached { try await store.removeExpired() }.value
            }
            #expect(count == 1)
            #expect(try await store.values(for: "used") == ["a": "used"])
        }
    }
}
