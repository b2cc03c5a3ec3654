import FoundationEssentials
import RoostTesting
import Testing

@testable import Roost

@Suite("Numbers as people type them", .quietLog, .timeLimit(.minutes(5)))
struct LocalNumberTests {
    @Test(arguments: [
        ("de", "1.234,50", 1234.5), ("de", "1234,5", 1234.5), ("de", "1.234", 1234), ("de", " -0,5 ", -0.5),
        ("de", "12.345.678", 12_345_678), ("en", "1,234.50", 1234.5), ("en", "+7", 7), ("en", "1,234", 1234),
        ("fr", "1 234,5", 1234.5), ("fr", "1\u{202F}234,5", 1234.5), ("fr", "1\u{A0}234", 1234),
        ("de-CH", "1'234.5", 1234.5), ("de-CH", "1’234.5", 1234.5), ("sv", "−5", -5), ("sv", "-5", -5),
        ("ar", "\u{200E}-1,234.5", -1234.5), ("th", "1234.5", 1234.5), ("es", "1.234,5", 1234.5), ("en", "007", 7),
        ("en-DE", "1.234,5", 1234.5), ("en-FR", "1,234", 1.234), ("es-CR", "1,234", 1.234),
        ("pt-AO", "1 234,5", 1234.5), ("en-DK", "1.234,5", 1234.5), ("en-SE", "1\u{A0}234,5", 1234.5),
        ("en-CZ", "1,234", 1.234), ("en-PL", "1.234,5", 1234.5), ("en-CH", "1'234.5", 1234.5),
        ("ar-MA", "1.234,5", 1234.5), ("ar-DZ", "1,234", 1.234), ("fr-LU", "1.234,5", 1234.5),
    ])
    func `a text with the signs of the language is a number`(language: String, text: String, value: Double) {
        #expect(LocalNumber(text, in: MessageTable(language))?.value == value)
    }

    @Test(arguments: [
        ("de", "1.5"), ("de", "1,234.50"), ("de", "12.34"), ("de", "1234.567"), ("de", "1.2345"), ("de", "1,2,3"),
        ("de", ""), ("de", " "), ("de", "-"), ("de", ","), ("de", ",5"), ("de", "5,"), ("de", "1..234"), ("de", ".123"),
        ("de", "1 234"), ("de", "1.234."), ("de", "--1"), ("de", "1e5"), ("de", "0x1"), ("de", "nan"), ("de", "inf"),
        ("de", "١"), ("de", "1,5 €"), ("de", "1,\u{301}5"), ("en", "1.234,50"), ("en", "1,23"), ("fr", "1.5"),
        ("th", "1,234"), ("en", String(repeating: "9", count: 400)), ("de", "1\u{0}"), ("de", "\u{200E}"),
    ])
    func `any other text is none`(language: String, text: String) {
        #expect(LocalNumber(text, in: MessageTable(language)) == nil)
    }

    @Test(arguments: MessageTable.formattedLanguages)
    func `what a language shows can be read again`(language: String) throws {
        let table = MessageTable(language)
        for value in [0, 0.5, -1.25, 1234, -1234.5, 12_345_678.125, 1e15] {
            #expect(LocalNumber(table.number(value), in: table)?.value == value, "\(table.number(value))")
            let text = table.format.input(try #require(DecimalNumber("\(value)")).rounded(to: 2...40))
            #expect(LocalNumber(text, in: table)?.value == value, "\(text)")
        }
    }

    // MARK: Forms

    private struct Room: Decodable, Validatable, Encodable {
        var price: LocalNumber
        var size: LocalNumber?
        var extras: [LocalNumber] = []

        private enum CodingKeys: CodingKey { case price, size, extras }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            price = try members.decode(LocalNumber.self, forKey: .price)
            size = try members.decodeIfPresent(LocalNumber.self, forKey: .size)
            extras = try members.decodeIfPresent([LocalNumber].self, forKey: .extras) ?? []
        }

        func validate(_ check: inout Validation) { check("price", price, .range(1...10_000)) }
    }

    private struct RoomPage: Encodable {
        static let fields = FieldSet(.number("price", "Price", decimals: 2).required, .number("size", "Size"))

        var fields = Self.fields
    }

    private static func client() throws -> TestClient {
        let tables = [
            MessageTable.english, MessageTable("de", ["Must be a number like {example}.": "Etwa {example}."]),
        ]
        let templates = try Templates(sources: [
            "form":
                "{{#fields.all}}{{name}}={{value}}/{{type}}/{{#attributes}}{{name}}:{{value}},{{/attributes}}{{#error}}"
                + "[{{.}}]{{/error}};{{/fields.all}}"
        ])
        return TestClient(
            try Application(
                templates: templates, middleware: [Languages(tables)] + Application.standardMiddleware()
            ) { routes in
                routes.post(Path("/rooms")) { request in
                    try await request.handleForm(Room.self) {
                        .json($0)
                    } invalid: { form in
                        View("form", RoomPage(fields: RoomPage.fields.typed(form)))
                    }
                }
                routes.get(Path("/rooms/{price}", String.self)) { _, price in
                    View("form", RoomPage(fields: try RoomPage.fields.filled(with: ["price": Double(price)])))
                }
                routes.get(Path("/search")) { request in JSON(try request.decodeQuery(Room.self)) }
            })
    }

    private static let german: Headers = [.acceptLanguage: "de", .accept: "text/html"]
    private static let english: Headers = [.acceptLanguage: "en", .accept: "text/html"]

    @Test func `a form is read in the language of its page`() async throws {
        let client = try Self.client()
        let form: Form = ["price": "1.234,50", "size": "", "extras": "2,5"]
        let read = try await client.post("/rooms", form: form, headers: Self.german)
        #expect(read.text == #"{"price":1234.5,"extras":[2.5]}"#)
        let other = try await client.post("/rooms", form: ["price": "1,234.50", "size": "3.5"], headers: Self.english)
        #expect(other.text == #"{"price":1234.5,"size":3.5,"extras":[]}"#)
        let query = try await client.get("/search?price=1.234,5", headers: Self.german)
        #expect(query.text == #"{"price":1234.5,"extras":[]}"#)
    }

    @Test func `any other text stays in the field, with an example beside it`() async throws {
        let client = try Self.client()
        let german = try await client.post("/rooms", form: ["price": "12.5", "size": "x"], headers: Self.german)
        #expect(german.status == .unprocessableContent)
        #expect(german.text.contains("price=12.5/text/") && german.text.contains("[Etwa 1.234,5.]"))
        #expect(german.text.contains("size=x/text/"))
        let english = try await client.post("/rooms", form: ["price": "1.234,5"], headers: Self.english)
        #expect(english.text.contains("price=1.234,5/") && english.text.contains("[Must be a number like 1,234.5.]"))
        let missing = try await client.post("/rooms", form: [:], headers: Self.english)
        #expect(missing.text.contains("[Must not be empty.]"))
        let large = try await client.post("/rooms", form: ["price": "10.001"], headers: Self.german)
        #expect(large.text.contains("[Must be from 1 to 10000.]"), "\(large.text)")
    }

    private struct Part: Decodable, Validatable {
        var price: LocalNumber

        func validate(_ check: inout Validation) { check("price", price, .range(0.5...9.5), .range(0.25...)) }
    }

    @Test(arguments: [
        ("de", [:], "0,1", ["Must be from 0,5 to 9,5.", "Must be at least 0,25."]),
        ("de", ["Must be from {minimum} to {maximum}.": "Von {minimum} bis {maximum}."], "9,6", ["Von 0,5 bis 9,5."]),
        ("en", [:], "0.1", ["Must be from 0.5 to 9.5.", "Must be at least 0.25."]),
    ])
    func `bounds are told as people type them`(
        language: String, texts: [String: String], price: String, messages: [String]
    ) throws {
        var request = try Request(
            .post, "/", headers: [.contentType: "application/x-www-form-urlencoded"], body: Body("price=\(price)"))
        request.messages = MessageTable(language, texts)
        let error = #expect(throws: HTTPError.self) { try request.decode(Part.self) }
        #expect(error?.parts.map { request.messages.text($0.sentence) } == messages)
    }

    @Test func `what is stored is shown so that it can be read again`() async throws {
        let client = try Self.client()
        for (stored, german, english) in [
            ("1234.5", "1234,50", "1234.50"), ("1.234", "1,234", "1.234"), ("-3", "-3,00", "-3.00"),
            ("1e-7", "0,0000001", "0.0000001"),
        ] {
            for (text, headers) in [(german, Self.german), (english, Self.english)] {
                let page = try await client.get("/rooms/\(stored)", headers: headers)
                #expect(page.text.contains("price=\(text)/text/") && page.text.contains("inputmode:decimal,"))
                let table = MessageTable(headers[.acceptLanguage] ?? "")
                #expect(LocalNumber(text, in: table)?.value == Double(stored))
            }
        }
    }

    @Test func `JSON has numbers as everywhere`() async throws {
        let client = try Self.client()
        let json = try await client.post("/rooms", json: ["price": 1234.5], headers: Self.german)
        #expect(json.text == #"{"price":1234.5,"extras":[]}"#)
        let wrong = try await client.post("/rooms", json: ["price": "1.234,5"], headers: Self.german)
        #expect(wrong.status == .unprocessableContent)
    }

    @Test func `a description of an API says that it is a number`() async throws {
        let application = try Application(api: APIDescription(title: "Rooms", version: "1")) { routes in
            routes.group(Path("/api"), described: true) { api in
                api.post(Path("/rooms"), Room.self, status: .created) { _, room in room }.describe("Adds a room.")
            }
        }
        let document = try await TestClient(application).get("/api/openapi.json")
        #expect(document.text.contains(#""type":"number""#), "\(document.text)")
    }

    @Test func `it counts in hundredths`() {
        #expect(LocalNumber(1234.56).hundredths == 123_456 && LocalNumber(-0.07).hundredths == -7)
        #expect(LocalNumber(1e300).hundredths == nil && LocalNumber(.nan).hundredths == nil)
        #expect(LocalNumber(2) < 2.5 && "\(LocalNumber(2.5))" == "2.5" && "\(LocalNumber(2))" == "2")
    }
}
