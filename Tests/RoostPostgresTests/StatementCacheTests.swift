import Processes
import RoostSQL
import Testing

@testable import RoostPostgres

@Suite("Prepared statements of PostgreSQL", .timeLimit(.minutes(5)))
struct StatementCacheTests {
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
