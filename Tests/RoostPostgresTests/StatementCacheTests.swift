import Processes
import RoostSQL
import Testing

@testable import RoostPostgres

@Suite("Prepared statements of PostgreSQL", .timeLimit(.minutes(5)))
struct StatementCacheTests {
    @Test func `what was prepared, and what was not, is counted every 16 statements`() {
        let counts = StatementCounts()
        var cache = StatementCache(capacity: 4)
        cache.counts = counts
        for number in 0..<16 {
            #expect(counts.use.hits + counts.use.misses == 0)
            let text = "SELECT \(number % 3)"
            if cache.find(text) == nil { cache.insert(StatementCache.Entry(name: cache.newName(), text: text)) }
        }
        #expect(counts.use == SQLCacheUse(name: "statements", hits: 13, misses: 3))
    }

    @Test(
        .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
        arguments: Place.allCases)
    func `a driver counts for all its connections`(place: Place) async throws {
        let use = try await place.withDatabase { database async throws in
            for _ in 0..<200 { try await database.execute("SELECT 1") }
            return database.driver.use
        }
        let cache = try #require(use?.caches.first)
        #expect(cache.hits > 100 && cache.misses < 20)
    }

    @Test func `statements that differ only in how a letter is composed are different`() {
        var cache = StatementCache(capacity: 4)
        for letter in ["\u{E9}", "e\u{301}", "K", "\u{212A}"] {
            let text = "SELECT '\(letter)'"
            #expect(cache.find(text) == nil)
            let entry = StatementCache.Entry(name: cache.newName(), text: text)
            cache.insert(entry)
            #expect(cache.find(text) === entry)
        }
        #expect(cache.hasRoom == false)
    }
}
