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

    /// Samples of the same charts: of numbers with decimals, all others are `other`.
    @Test(arguments: [
        ("fr", "one 0.5 1.5 -1.5; other 2.5 1000000.5"), ("pt-BR", "one 0.1 1.9; other 2.5"),
        ("pt-PT", "other 0.5 1.5"), ("da", "one 0.1 1.6; other 2.5"), ("hi", "one 0.04; other 1.2"),
        ("he", "one 0.9; other 1.5"), ("hy", "one 0.5 1.5; other 2.1"), ("is", "one 0.1 10.1 1.21; other 0.2 0.11 1.5"),
        ("hr", "one 0.1 10.1; few 0.2 1.4 1.22; other 0.5 0.11 0.12"), ("cs", "many 0.5 1.5 100.5"),
        ("lv", "zero 0.11 1.19; one 0.1 1.1 0.21; other 0.2 10.5"), ("lt", "many 0.1 1.6"), ("sl", "few 0.5 1.5"),
        ("ro", "few 0.5 1.5"), ("en", "other 0.5 1.5"), ("pl", "other 1.5"), ("ar", "other 1.5"), ("tlh", "other 1.5"),
    ])
    func `a number with decimals has its category`(language: String, samples: String) {
        let text = "{n, plural, zero {zero} one {one} two {two} few {few} many {many} other {other}}"
        let table = MessageTable(language, ["{n}": text])
        for part in samples.split(separator: ";") {
            let words = part.split(separator: " ")
            for number in words.dropFirst() {
                #expect(table.text(Sentence("{n}", ["n": String(number)])) == words[0], "\(language) \(number)")
            }
        }
        // What is shown decides: it has no decimals.
        #expect(table.text(Sentence("{n}", ["n": 1.0])) == table.text(Sentence("{n}", ["n": 1])))
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
