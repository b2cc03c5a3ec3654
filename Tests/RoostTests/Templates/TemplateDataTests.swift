import Testing

@testable import Roost

private struct Row: SelfWriting {
    let id: Int
    let name: String
    let email: String?

    func write(to fields: inout Fields) {
        fields.add("id", id)
        fields.add("name", name)
        fields.add("email", email)
    }
}

private struct Page: SelfWriting {
    let rows: [Row]

    func write(to fields: inout Fields) {
        fields.add("rows", rows)
        fields.add("first", rows.first)
        fields.add("names", ["a": 1.5])
        fields.add("more", ["x": [1, 2]])
        fields.add("isLong", rows.count > 1)
    }
}

private struct Both: SelfWriting {
    let how: String

    init() { how = "encoded" }

    func write(to fields: inout Fields) { fields.add("how", "written") }
}

/// Types that write themselves.
@Suite(.timeLimit(.minutes(5)))
struct `Template data` {
    private let page = Page(rows: [Row(id: 1, name: "Ann & Bob", email: nil), Row(id: 2, name: "C", email: "c@d")])

    private func render(_ template: String, _ page: some SelfWriting) throws -> String {
        String(decoding: try Templates(sources: ["main": template]).render("main", page), as: UTF8.self)
    }

    @Test(arguments: [
        ("{{#rows}}{{id}}: {{name}}{{#email}} <{{.}}>{{/email}}; {{/rows}}", "1: Ann &amp; Bob; 2: C <c@d>; "),
        ("{{first.name}}", "Ann &amp; Bob"), ("{{names.a}}", "1.5"), ("{{#more.x}}{{.}}{{/more.x}}", "12"),
        ("{{#isLong}}long{{/isLong}}", "long"),
    ])
    func `a page`(_ template: String, _ expected: String) throws { #expect(try render(template, page) == expected) }

    @Test func `an empty list and a nil are there`() throws {
        let empty = Page(rows: [])
        #expect(try render("{{^rows}}no{{/rows}}{{^first}}ne{{/first}}{{first.name}}", empty) == "none")
    }

    @Test func `a name that is not there lists those that are`() throws {
        let error = #expect(throws: TemplateError.self) { try render("{{#rows}}{{phone}}{{/rows}}", page) }
        let advice = "add it, correct the name, or give it to every page (pageValues)"
        #expect(error?.message == #"the page has no "phone": \#(advice); it has id, name, email"#)
    }

    @Test func `a type that is both writes itself`() throws {
        let templates = try Templates(sources: ["main": "{{how}}"])
        #expect(String(decoding: try templates.render("main", Both()), as: UTF8.self) == "written")
        try templates.check("main", Both())
    }

    @Test func `an error of an encoded field ends the rendering`() throws {
        struct Failing: Encodable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: ""))
            }
        }
        struct Holder: SelfWriting {
            let value = Failing()
            func write(to fields: inout Fields) { fields.add("x", value) }
        }
        #expect(throws: EncodingError.self) { try render("", Holder()) }
    }
}
