import Testing

@testable import Roost

@Suite("RFC 9110 §12.5.4: Accept-Language", .timeLimit(.minutes(5)))
struct AcceptLanguageTests {
    private static let tags = ["en", "de", "de-AT", "en-GB", "pt", "pt-BR", "zh", "zh-TW"]

    @Test(arguments: [
        ("pt-BR", "pt-BR"), ("PT-br", "pt-BR"), ("zh-TW", "zh-TW"), ("en-GB,de", "en-GB"), ("de-AT, de-DE", "de-AT"),
        ("de-AT,*", "de-AT"), ("en-GB,en;q=0.5", "en-GB"), ("fr, pt-BR;q=0.5", "pt-BR"),
    ])
    func `the language that a range names goes before the one that begins it`(field: String, language: String) throws {
        #expect(try Self.preferred(field) == language)
        #expect(try Self.preferred(field, of: Self.tags.reversed()) == language)
    }

    @Test(arguments: [
        ("pt", "pt"), ("zh", "zh"), ("pt-PT", "pt"), ("de-CH", "de"), ("pt,pt-BR", "pt"), ("*", "en"),
        ("pt-BR;q=0.5, de", "de"), ("fr", nil), ("pt-BR;q=0, pt;q=0", nil),
    ])
    func `otherwise the weight, the place in the field and the place in the list decide`(
        field: String, language: String?
    ) throws {
        #expect(try Self.preferred(field) == language)
    }

    @Test(arguments: [
        ("zh-TW,zh;q=0.9,en;q=0.7", ["en", "zh-Hans", "zh-Hant"], "zh-Hant"),
        ("zh-hk", ["en", "zh-Hans", "zh-Hant"], "zh-Hant"), ("zh-CN", ["en", "zh-Hant", "zh-Hans"], "zh-Hans"),
        ("zh-TW,zh;q=0.9", ["en", "zh", "zh-Hant"], "zh-Hant"), ("zh-Hant-TW", ["en", "zh-CN", "zh-TW"], "zh-TW"),
        ("zh-Hans-CN", ["en", "zh-TW", "zh-CN"], "zh-CN"), ("zh,en;q=0.9", ["en", "zh-Hans", "zh-Hant"], "zh-Hans"),
    ])
    func `Chinese of a region is that of its script`(field: String, languages: [String], language: String) throws {
        #expect(try Self.preferred(field, of: languages) == language)
    }

    private static func preferred(_ field: String, of languages: [String] = tags) throws -> String? {
        try Request(.get, "/", headers: [.acceptLanguage: field]).preferredLanguage(of: languages)
    }
}
