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

    @Test func `one that the server refuses is forgotten, and makes room first`() {
        var cache = StatementCache(capacity: 2)
        for text in ["a", "b"] { cache.insert(StatementCache.Entry(name: text, text: text)) }
        cache.retire("b")
        #expect(cache.find("b") == nil)
        #expect(cache.evict()?.name == "b")
        #expect(cache.find("a") != nil)
    }
}
