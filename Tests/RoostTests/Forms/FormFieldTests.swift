import Testing

@testable import Roost

@Suite("Fields of forms", .timeLimit(.minutes(1)))
struct FormFieldTests {
    private struct Answer: Decodable { var news: Bool }

    @Test(arguments: [("True", true), ("TRUE", true), ("On", true), ("False", false), ("FALSE", false), ("OFF", false)])
    func `a Boolean is one in any case`(text: String, value: Bool) throws {
        #expect(try FormDecoder.decode(Answer.self, from: ["news": text]).news == value)
    }

    private struct Page: Encodable { let fields: FieldSet }

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
