import Testing

@testable import Roost

@Suite("Plurals", .timeLimit(.minutes(5)))
struct PluralRuleTests {
    /// Samples of Unicode CLDR's charts of cardinals.
    @Test(arguments: [
        ("en", "one 1; other 0 2 16 100 1000000"), ("de-AT", "one 1; other 0 2 16 100"),
        ("fr", "one 0 1; many 1000000; other 2 17 100"), ("es", "one 1; many 1000000; other 0 2 16"),
        ("pt", "one 0 1; many 1000000; other 2 17"), ("pt-PT", "one 1; many 1000000; other 0 2"),
        ("pl", "one 1; few 2 3 4 22 102; many 0 5 19 11 12 14 100 112"),
        ("ru", "one 1 21 31 101 1001; few 2 3 4 22 102; many 0 5 11 12 19 100 111 1000"),
        ("uk", "one 21; few 24; many 11 14"), ("cs", "one 1; few 2 3 4; other 0 5 19 100"),
        ("sl", "one 1 101 201; two 2 102; few 3 4 103; other 0 5 19 100"),
        ("lt", "one 1 21 101; few 2 9 22 102; other 0 10 11 19 100"),
        ("lv", "zero 0 10 11 20 100; one 1 21 101; other 2 9 22"), ("ro", "one 1; few 0 2 16 101 119; other 20 35 100"),
        ("ar", "zero 0; one 1; two 2; few 3 10 103 110; many 11 26 111; other 100 102 200"),
        ("is", "one 1 21 31 101; other 0 2 11 100"), ("hy", "one 0 1; other 2 21"),
        ("he", "one 1; two 2; other 0 3 17"), ("ja", "other 0 1 2"),
        ("ga", "one 1; two 2; few 3 6; many 7 10; other 0 11"),
        ("cy", "zero 0; one 1; two 2; few 3; many 6; other 4 5 7 100"), ("hr", "one 1 21; few 2 22; other 0 5 11 12"),
    ])
    func `a language has its rule`(language: String, samples: String) throws {
        let rule = try #require(PluralRule.of(language))
        for part in samples.split(separator: ";") {
            let words = part.split(separator: " ")
            for number in words.dropFirst() {
                #expect(try rule(#require(Int(number))) == words[0], "\(language) \(number)")
            }
        }
        #expect(rule(-1) == rule(1) && rule(-3) == rule(3))
        for number in [Int.min, .max] { _ = rule(number) }
    }

    @Test func `an unknown language goes by English, or by its own rule`() {
        let eggs = Sentence("{n} eggs", ["n": 1])
        let texts = ["{n} eggs": "{n, plural, one {one} other {other}}"]
        #expect(PluralRule.of("tlh") == nil)
        #expect(MessageTable("tlh", texts).text(eggs) == "one")
        #expect(MessageTable("tlh", texts) { _ in "other" }.text(eggs) == "other")
        #expect(MessageTable("ja", texts).text(eggs) == "other")
    }
}
