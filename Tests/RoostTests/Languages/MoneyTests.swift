import RoostTesting
import Testing

@testable import Roost

@Suite("Money in the ways of languages", .quietLog, .timeLimit(.minutes(5)))
struct MoneyTests {
    /// The languages' forms of 1234.5 and -1234.567 euros, 12345.5 US dollars, -1234.5 of a currency without a sign,
    /// and 1234.6 yen: samples of Unicode CLDR 48, by another program (Node.js).
    private static let samples = """
        en|€1,234.50|-€1,234.57|$12,345.50|-XTS\u{A0}1,234.50|¥1,235
        de|1.234,50\u{A0}€|-1.234,57\u{A0}€|12.345,50\u{A0}$|-1.234,50\u{A0}XTS|1.235\u{A0}¥
        de-AT|€\u{A0}1.234,50|-€\u{A0}1.234,57|$\u{A0}12.345,50|-XTS\u{A0}1.234,50|¥\u{A0}1.235
        de-CH|EUR\u{A0}1'234.50|EUR-1'234.57|$\u{A0}12'345.50|XTS-1'234.50|¥\u{A0}1'235
        fr|1\u{202F}234,50\u{A0}€|-1\u{202F}234,57\u{A0}€|12\u{202F}345,50\u{A0}$US|\
        -1\u{202F}234,50\u{A0}XTS|1\u{202F}235\u{A0}JPY
        fr-CH|1\u{202F}234.50\u{A0}€|-1\u{202F}234.57\u{A0}€|12\u{202F}345.50\u{A0}$US|\
        -1\u{202F}234.50\u{A0}XTS|1\u{202F}235\u{A0}JPY
        fr-CA|1\u{A0}234,50\u{A0}€|-1\u{A0}234,57\u{A0}€|12\u{A0}345,50\u{A0}$\u{A0}US|\
        -1\u{A0}234,50\u{A0}XTS|1\u{A0}235\u{A0}¥
        nl|€\u{A0}1.234,50|€\u{A0}-1.234,57|US$\u{A0}12.345,50|XTS\u{A0}-1.234,50|JP¥\u{A0}1.235
        sv|1\u{A0}234,50\u{A0}€|−1\u{A0}234,57\u{A0}€|12\u{A0}345,50\u{A0}US$|\
        −1\u{A0}234,50\u{A0}XTS|1\u{A0}235\u{A0}JPY
        es|1234,50\u{A0}€|-1234,57\u{A0}€|12.345,50\u{A0}US$|-1234,50\u{A0}XTS|1235\u{A0}JPY
        ja|€1,234.50|-€1,234.57|$12,345.50|-XTS\u{A0}1,234.50|￥1,235
        tr|€1.234,50|-€1.234,57|$12.345,50|-XTS\u{A0}1.234,50|¥1.235
        he|\u{200F}1,234.50\u{A0}\u{200F}€|\u{200F}\u{200E}-1,234.57\u{A0}\u{200F}€|\
        \u{200F}12,345.50\u{A0}\u{200F}$|\u{200F}\u{200E}-1,234.50\u{A0}\u{200F}XTS|\u{200F}1,235\u{A0}\u{200F}¥
        pt|€\u{A0}1.234,50|-€\u{A0}1.234,57|US$\u{A0}12.345,50|-XTS\u{A0}1.234,50|JP¥\u{A0}1.235
        es-MX|EUR\u{A0}1,234.50|-EUR\u{A0}1,234.57|USD\u{A0}12,345.50|-XTS\u{A0}1,234.50|JPY\u{A0}1,235
        es-US|EUR\u{A0}1,234.50|-EUR\u{A0}1,234.57|$12,345.50|-XTS\u{A0}1,234.50|¥1,235
        es-CL|EUR\u{A0}1.234,50|EUR-1.234,57|US$12.345,50|XTS-1.234,50|JPY\u{A0}1.235
        es-AR|EUR\u{A0}1.234,50|-EUR\u{A0}1.234,57|US$\u{A0}12.345,50|-XTS\u{A0}1.234,50|JPY\u{A0}1.235
        en-AU|EUR\u{A0}1,234.50|-EUR\u{A0}1,234.57|USD\u{A0}12,345.50|-XTS\u{A0}1,234.50|JPY\u{A0}1,235
        en-SG|€1,234.50|-€1,234.57|US$12,345.50|-XTS\u{A0}1,234.50|JP¥1,235
        ar-MA|\u{200F}1.234,50\u{A0}€|\u{200F}\u{200E}-1.234,57\u{A0}€|\u{200F}12.345,50\u{A0}US$|\
        \u{200F}\u{200E}-1.234,50\u{A0}XTS|\u{200F}1.235\u{A0}JP¥
        """

    @Test(arguments: samples.split(separator: "\n").map(String.init))
    func `an amount has the pattern and the signs of the language`(line: String) {
        let parts = line.split(separator: "|").map(String.init)
        let table = MessageTable(parts[0])
        let shown = [
            table.currency(1234.5, "EUR"), table.currency(-1234.567, "EUR"), table.currency(12_345.5, "USD"),
            table.currency(-1234.5, "XTS"), table.currency(1234.6, "JPY"),
        ]
        #expect(shown == Array(parts.dropFirst()))
    }

    /// Samples of Unicode CLDR 48, by another program (Node.js).
    @Test(arguments: [
        ("es-MX", "MXN", 1234.5, "$1,234.50"), ("en-AU", "AUD", 1234.5, "$1,234.50"),
        ("es-US", "USD", 1234.5, "$1,234.50"), ("es-CL", "USD", 5, "US$5,00"), ("es-CL", "CLP", -1234, "$-1.234"),
        ("es-AR", "ARS", 1234.5, "$\u{A0}1.234,50"), ("es-CO", "COP", 1234, "$\u{A0}1.234"),
        ("en-ZA", "ZAR", 1234.5, "R\u{A0}1\u{A0}234,50"), ("en-SG", "AUD", 5, "A$5.00"),
        ("es-PR", "MXN", 5, "MXN\u{A0}5.00"), ("es-PR", "USD", 5, "$5.00"), ("es-EC", "USD", 5, "$5,00"),
        ("es-UY", "ARS", 5, "ARS\u{A0}5,00"), ("en-DK", "DKK", 1234.5, "1.234,50\u{A0}kr."),
        ("en-SE", "SEK", 1234.5, "1\u{A0}234,50\u{A0}kr"), ("en-SE", "NOK", 5, "5,00\u{A0}NOK"),
    ])
    func `a region has the sign of its own currency, and not for that of another country`(
        region: String, code: String, amount: Double, text: String
    ) {
        #expect(MessageTable(region).currency(amount, code) == text)
    }

    @Test func `a language that is not known shows the code, and a currency has its own decimals`() {
        #expect(MessageTable("th").currency(-1234.5, "EUR") == "-EUR\u{A0}1234.50")
        #expect(MessageTable("en").currency(1.5, "KWD") == "KWD\u{A0}1.500")
        #expect(MessageTable("en").currency(12, "EUR") == "€12.00")
        #expect(MessageTable("en").currency(Double.nan, "EUR") == "nan")
    }

    @Test func `a template and a sentence have the currency by its code`() throws {
        let german = MessageTable("de", ["From {price, currency, EUR}": "Ab {price, currency, EUR}"])
        let templates = try Templates(
            sources: ["main": #"{{currency price EUR}}; {{t "From {price, currency, EUR}" price}}"#])
        let page = try templates.render("main", ["price": 1234.5], review: nil, messages: german)
        #expect(String(decoding: page, as: UTF8.self) == "1.234,50\u{A0}€; Ab 1.234,50\u{A0}€")
        let english = try templates.render("main", ["price": 1234.5])
        #expect(String(decoding: english, as: UTF8.self) == "€1,234.50; From €1,234.50")
    }

    @Test(arguments: [
        "{{currency price}}", "{{currency price eur}}", "{{currency price EURO}}", "{{currency price 2}}",
    ])
    func `a tag without the code of a currency is a mistake that the start tells`(source: String) {
        let error = #expect(throws: TemplateErrors.self) { try Templates(sources: ["main": source]) }
        #expect(error.map { "\($0)" }?.contains("the code of a currency after the name, such as EUR") == true)
    }
}
