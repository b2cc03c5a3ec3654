import Engines
import Roost
import RoostTesting
import Testing

@testable import RoostSQL

/// What a store of sessions does, with a table of each engine.
@Suite("Sessions in SQL", .timeLimit(.minutes(5)))
struct SQLSessionStoreTests {
    private static func run(
        _ engine: Engine, _ body: (SQLSessionStore, Database, TestClock) async throws -> Void
    ) async throws {
        let clock = TestClock()
        try await engine.run { (databases) async throws in
            try await Migrator(databases[0], [Migration("sessions", sql: SQLSessionStore.schema)]).run()
            let store = withClock(clock) {
                SQLSessionStore(databases[0], idleTimeout: .seconds(1800), lifetime: .seconds(7200))
            }
            try await body(store, databases[0], clock)
        }
    }

    @Test(arguments: Engine.allCases)
    func `values are kept, changed and removed`(engine: Engine) async throws {
        try await Self.run(engine) { (store, _, _) async throws in
            try await store.save(["account": "é\"\u{0}", "x": ""], for: "token")
            #expect(try await store.values(for: "token") == ["account": "é\"\u{0}", "x": ""])
            #expect(try await store.values(for: "other") == nil)
            try await store.update(["a": "b"], for: "token")
            #expect(try await store.values(for: "token") == ["a": "b"])
            try await store.remove("token")
            try await store.update(["a": "c"], for: "token")
            #expect(try await store.values(for: "token") == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `more values than a client may send come back, under any name`(engine: Engine) async throws {
        try await Self.run(engine) { (store, _, _) async throws in
            var values = Dictionary(uniqueKeysWithValues: (0...10_000).map { ("\($0)", "a") })
            values["e" + String(repeating: "\u{301}", count: 31)] = "b"
            try await store.save(values, for: "token")
            #expect(try await store.values(for: "token") == values)
        }
    }

    @Test(arguments: Engine.allCases)
    func `the table holds no token`(engine: Engine) async throws {
        try await Self.run(engine) { (store, database, _) async throws in
            try await store.save([:], for: "token")
            let key = try await database.first("SELECT token_hash FROM sessions", as: String.self)
            #expect(key == "3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0")
            #expect(try await store.values(for: key ?? "") == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `using a session keeps it alive, up to its lifetime`(engine: Engine) async throws {
        try await Self.run(engine) { (store, _, clock) async throws in
            try await store.save(["a": "b"], for: "used")
            try await store.save(["a": "b"], for: "idle")
            for _ in 0..<5 {
                clock.advance(by: .seconds(1200))
                #expect(try await store.values(for: "used") != nil)
                await store.bookkeeping.settle()
            }
            #expect(try await store.values(for: "idle") == nil)
            clock.advance(by: .seconds(1200))
            #expect(try await store.values(for: "used") == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a session that is used all the time goes on, however short its idle timeout is`(engine: Engine) async throws {
        try await Self.run(engine) { (_, database, clock) async throws in
            let store = withClock(clock) { SQLSessionStore(database, idleTimeout: .seconds(40)) }
            try await store.save(["a": "b"], for: "token")
            for _ in 0..<10 {
                clock.advance(by: .seconds(10))
                #expect(try await store.values(for: "token") == ["a": "b"])
                await store.bookkeeping.settle()
            }
            clock.advance(by: .seconds(40))
            #expect(try await store.values(for: "token") == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `one that began while the clock was ahead ends as if it had begun when it was used`(
        engine: Engine
    ) async throws {
        try await Self.run(engine) { (store, database, clock) async throws in
            clock.advance(by: .hours(48))
            for token in ["used", "asked for"] { try await store.save(["a": "b"], for: token) }
            // Or the deletion of what has ended by this clock might come after the uses below.
            await store.bookkeeping.settle()
            clock.advance(by: .hours(-48))
            #expect(try await store.values(for: "used") != nil)
            #expect(try await store.isAlive("asked for"))
            await store.bookkeeping.settle()
            for _ in 0..<5 {
                clock.advance(by: .seconds(1200))
                #expect(try await store.values(for: "used") != nil)
                await store.bookkeeping.settle()
            }
            #expect(try await !store.isAlive("asked for"))
            clock.advance(by: .seconds(1200))
            #expect(try await store.values(for: "used") == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `ended sessions are deleted when asked for, however many`(engine: Engine) async throws {
        try await Self.run(engine) { (store, database, clock) async throws in
            try await store.save([:], for: "first")
            let now = try await database.first("SELECT used_at FROM sessions", as: Int.self) ?? 0
            let rows = (1..<2500).map { SQL("INSERT INTO sessions VALUES (\("\($0)"), '{}', \(now), \(now), NULL)") }
            try await database.batch(rows)
            clock.advance(by: .seconds(1799))
            try await store.save(["a": "b"], for: "new")
            #expect(try await store.removeExpired() == 0)
            clock.advance(by: .seconds(1))
            #expect(try await store.removeExpired() == 2500)
            #expect(try await store.values(for: "new") == ["a": "b"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `sessions past their lifetime are deleted, however long they may go unused`(engine: Engine) async throws {
        try await Self.run(engine) { (_, database, clock) async throws in
            let store = withClock(clock) {
                SQLSessionStore(database, idleTimeout: .seconds(31_536_000), lifetime: .seconds(7200))
            }
            for token in ["unused", "used"] { try await store.save([:], for: token) }
            clock.advance(by: .seconds(7199))
            #expect(try await store.values(for: "used") != nil)
            await store.bookkeeping.settle()
            #expect(try await store.removeExpired() == 0)
            clock.advance(by: .seconds(1))
            #expect(try await store.removeExpired() == 1)
            // At the latest after twice the lifetime.
            clock.advance(by: .seconds(7199))
            #expect(try await store.removeExpired() == 1)
        }
    }

    /// As a damaged page or another program leaves it.
    @Test(arguments: Engine.allCases, ["data = '{\"a\": 1}'", "data = ''", "used_at = -9223372036854775808"])
    func `a session that cannot be read is unknown, and keeps its owner from nothing`(
        engine: Engine, change: String
    ) async throws {
        try await Self.run(engine) { (store, database, _) async throws in
            try await store.save(["account": "7"], for: "token")
            await store.bookkeeping.settle()
            try await database.execute(SQL(unchecked: "UPDATE sessions SET owner = '7', \(change)"))
            #expect(try await store.values(for: "token") == nil)
            if change.utf8.starts(with: "data".utf8) {
                try await store.change(["a": "b"], for: "token")
                #expect(try await store.replace("token", with: "new", ["a": "b"]) == nil)
                #expect(try await store.sessions(of: "7").count == 1)
            }
        }
    }

    @Test func `a session that is bytes is unknown, too`() async throws {
        try await Self.run(.sqlite) { (store, database, _) async throws in
            try await store.save([:], for: "token")
            try await database.execute("UPDATE sessions SET data = x'7b7d', begun_at = begun_at || 'x'")
            #expect(try await store.values(for: "token") == nil)
            #expect(try await store.replace("token", with: "new", [:]) == nil)
        }
    }

    @Test func `a session whose times are texts is listed`() async throws {
        try await Self.run(.sqlite) { (store, database, _) async throws in
            try await store.save(["account": "7"], for: "token")
            let least = "-9223372036854775808x"
            try await database.execute("UPDATE sessions SET owner = '7', begun_at = \(least), used_at = \(least)")
            #expect(try await store.sessions(of: "7").count == 1)
        }
    }

    /// SQLite lets a primary key be NULL.
    @Test func `a session without a token keeps the owner from none of the others`() async throws {
        try await Self.run(.sqlite) { (store, database, _) async throws in
            try await store.save(["account": "7"], for: "token")
            try await database.execute("UPDATE sessions SET owner = '7'")
            try await database.execute(
                "INSERT INTO sessions SELECT NULL, data, begun_at, used_at, owner FROM sessions")
            #expect(try await store.sessions(of: "7").count == 1)
        }
    }

    /// It is a migration of each application that has sessions in its database, which would refuse another text.
    @Test func `the statements that make the table never change`() {
        let sum = "a56ca85be204a39e14e240e5c57ab972b53ea3dadf74a9d6d7611b73f5226b21"
        #expect(SHA256.hexadecimal(of: SQLSessionStore.schema) == sum)
    }

    @Test(arguments: Engine.allCases)
    func `ended sessions are deleted when others begin, and reading writes at most once a minute`(
        engine: Engine
    ) async throws {
        try await Self.run(engine) { (store, database, clock) async throws in
            for number in 0..<250 { try await store.save([:], for: "old \(number)") }
            let begun = try await database.first("SELECT max(used_at) FROM sessions", as: Int.self) ?? 0
            clock.advance(by: .seconds(1800))
            for number in 0..<3 {
                try await store.save([:], for: "new \(number)")
                await store.bookkeeping.settle()
            }
            #expect(try await database.first("SELECT count(*) FROM sessions", as: Int.self) == 3)
            clock.advance(by: .seconds(59))
            _ = try await store.values(for: "new 1")
            await store.bookkeeping.settle()
            #expect(try await database.first("SELECT max(used_at) FROM sessions", as: Int.self) == begun + 1800)
            clock.advance(by: .seconds(1))
            _ = try await store.values(for: "new 1")
            await store.bookkeeping.settle()
            #expect(try await database.first("SELECT max(used_at) FROM sessions", as: Int.self) == begun + 1860)
        }
    }
}
