import FoundationEssentials
import Testing

@testable import Roost

@Suite("Fields of forms", .timeLimit(.minutes(1)))
struct FormFieldTests {
    private struct Answer: Decodable { var news: Bool }

    @Test(arguments: [("True", true), ("TRUE", true), ("On", true), ("False", false), ("FALSE", false), ("OFF", false)])
    func `a Boolean is one in any case`(text: String, value: Bool) throws {
        #expect(try FormDecoder.decode(Answer.self, from: ["news": text]).news == value)
    }

    private struct Booking: Decodable {
        enum Kind: String, Decodable, CaseIterable { case single, double }

        var court: Int
        var price: Decimal
        var length: Double
        var day: LocalDate
        var start: Date
        var kind: Kind
    }

    private static func booking(_ text: String) throws -> [String] {
        let error = #expect(throws: HTTPError.self) { try FormDecoder.decode(Booking.self, from: Form(text: text)) }
        return error?.parts.map { "\($0.name): \($0.message)" } ?? []
    }

    @Test func `what must be there and is empty has not been filled in`() throws {
        let names = ["court", "price", "length", "day", "start", "kind"]
        let expected = names.map { "\($0): Must not be empty." }
        #expect(try Self.booking(names.map { $0 + "=" }.joined(separator: "&")) == expected)
        #expect(try Self.booking("") == expected)
        #expect(
            try Self.booking("court=%20&price=1&length=1&day=2026-01-31&start=2026-01-31&kind=single") == [
                "court: Must be a whole number."
            ])
    }

    @Test func `a number in hexadecimal is none`() throws {
        #expect(
            try Self.booking("court=1&price=1&length=0x1F&day=2026-01-31&start=2026-01-31&kind=single") == [
                "length: Must be a number."
            ])
    }

    private struct Page: Encodable { let fields: FieldSet }

    private static func rendered(_ fields: FieldSet, _ template: String) throws -> String {
        let folder = "scripts/skeleton/Templates/"
        let templates = try Templates(sources: [
            "field": Readme.contents(folder + "field.mustache"),
            "attributes": Readme.contents(folder + "attributes.mustache"),
            "page": template,
        ])
        return String(decoding: try templates.render("page", Page(fields: fields)), as: UTF8.self)
    }

    @Test func `a new package's input has a value only if there is one, so one of a file has none`() throws {
        let fields = try FieldSet(.text("name", "Name"), .file("photo", "Photo", accept: "image/*"))
            .filled(with: ["name": "<", "photo": "1.png"])
        let page = try Self.rendered(fields, "{{#fields.all}}{{> field}}{{/fields.all}}")
        #expect(page.contains(#"<input id="name" name="name" type="text" value="&lt;""#), "\(page)")
        #expect(page.contains(#"<input id="photo" name="photo" type="file" accept="image/*""#), "\(page)")
        #expect(!page.contains("1.png"), "\(page)")
    }

    @Test(arguments: ["one\n  two", "\nfirst", ""])
    func `a new package's text area has its text as it is, however far it is indented`(text: String) throws {
        let folder = "scripts/skeleton/Templates/"
        let templates = try Templates(sources: [
            "field": Readme.contents(folder + "field.mustache"),
            "attributes": Readme.contents(folder + "attributes.mustache"),
            "page": "<form>\n    {{#fields.note}}\n    {{> field}}\n    {{/fields.note}}\n</form>\n",
        ])
        let fields = FieldSet(.textArea("note", "Note")).filled("note", with: text)
        let page = String(decoding: try templates.render("page", Page(fields: fields)), as: UTF8.self)
        // A browser leaves out a line feed at the beginning, and only that.
        #expect(page.components(between: ">&#10;", and: "</textarea>") == [text])
    }
}
