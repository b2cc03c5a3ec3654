import Roost
import RoostTesting
import Testing

@testable import RoostSQL
@testable import RoostSQLite

@Suite("What SQLite's caches are worth", .quietLog, .timeLimit(.minutes(5)))
struct CacheCountsTests {
    @Test func `pages and statements that were found, and those that were not, are counted`() async throws {
        try await Scratch.run { database, _ in
            for number in 0..<200 { try await database.execute("INSERT INTO users (name) VALUES (\("\(number)"))") }
            let caches = try #require(database.driver.use?.caches)
            #expect(caches.map(\.name) == ["pages", "statements"])
            #expect(caches[0].hits > 100)
            #expect(caches[1].hits > 100 && caches[1].misses > 0 && caches[1].misses < 64)
            let metrics = PrometheusMetrics()
            for _ in 0..<2 { database.reportMetrics(to: metrics) }
            let labels = #"{cache="statements",database="main",engine="sqlite"}"#
            let line = "roost_sql_cache_hits_total\(labels) \(caches[1].hits)"
            #expect(metrics.text().split(separator: "\n").contains { $0 == line })
        }
    }
}
