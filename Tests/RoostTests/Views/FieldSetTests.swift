import FoundationEssentials
import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

@Suite("The fields of a form", .quietLog, .timeLimit(.minutes(1)))
struct FieldSetTests {
    private struct Nest: Codable, Sendable, Validatable {
        var tree: String
        var eggs: Int?
        var kind: String? = nil
        var warm: Bool? = nil
        var found: Date? = nil

        mutating func validate(_ check: inout Validation) {
            check("tree", &tree, .trimmed, .required)
            check("eggs", eggs, .range(1...12))
        }
    }

    private struct Page: Encodable {
        var fields: FieldSet
        var error = "of the page"
    }

    private static let fields = FieldSet(
        .text("tree", "Tree", length: 10).required, .text("eggs", "Eggs", type: "number"),
        .select("kind", "Kind", ["owl": "Owl", "tit": "Tit"]), .checkbox("warm", "Warm"),
        .text("found", "Found", type: "date"), .password("secret", "Secret"))

    private static func rendered(_ fields: FieldSet, _ template: String) throws -> String {
        let templates = try Templates(sources: ["page": template])
        return String(decoding: try templates.render("page", Page(fields: fields)), as: UTF8.self)
    }

    @Test func `a stored text is never cut, and a typed one where nobody types so much`() throws {
        let long = String(repeating: "ö", count: 20_000)
        #expect(try Self.fields.filled(with: Nest(tree: long))["tree"]?.value == long)
        let form = InvalidForm(typed: ["tree": long], error: HTTPError(.unprocessableContent, "No."))
        #expect(Self.fields.typed(form)["tree"]?.value == String(repeating: "ö", count: 20))
    }

    @Test func `a choice is the one with the same bytes, which is found quickly`() throws {
        let fields = FieldSet(.select("kind", "Kind", ["\u{E9}": "One", "e\u{301}": "Other"]))
        let form = InvalidForm(typed: ["kind": "e\u{301}"], error: HTTPError(.unprocessableContent, "No."))
        #expect(fields.typed(form)["kind"]?.choices.map(\.isSelected) == [false, true])
    }

    @Test func `fields and choices may be lists that are made when the program runs`() throws {
        let rows = [(id: 3, name: "Owl"), (id: 7, name: "Tit")]
        let birds = FormField.select("bird", "Bird", rows.map { ("\($0.id)", $0.name) })
        let list: [FormField] = [birds, .text("eggs", "Eggs")]
        let fields = try FieldSet(list).filled(with: ["bird": 7, "eggs": 2])
        #expect(fields.fields.map(\.value) == ["7", "2"])
        #expect(fields["bird"]?.choices.map(\.value) == ["3", "7"])
        #expect(fields["bird"]?.choices.map(\.isSelected) == [false, true])
        #expect(fields.texts == ["Bird", "Owl", "Tit", "Eggs"])
        let literal = FormField.select("bird", "Bird", ["3": "Owl", "7": "Tit"])
        #expect(FormField.select("bird", "Bird", [("3", "Owl"), ("7", "Tit")]) == literal)
    }

    @Test func `a stored value fills them, and a password stays empty`() throws {
        let nest = Nest(tree: "oak", eggs: 3, kind: "tit", warm: true, found: Date(timeIntervalSince1970: 86_400))
        let fields = try Self.fields.filled(with: nest).filled("secret", with: "x")
        #expect(fields.fields.map(\.value) == ["oak", "3", "tit", "true", "1970-01-02", ""])
        #expect(fields["kind"]?.choices.map(\.isSelected) == [false, true])
        let template = "{{#fields.all}}{{#isChecked}}{{name}}{{/isChecked}}{{/fields.all}}"
        #expect(try Self.rendered(fields, template) == "warm")
    }

    @Test func `a text that is no choice, or none any more, is shown as one`() throws {
        let stored = try Self.fields.filled(with: ["kind": "gone"])
        #expect(stored["kind"]?.choices.map(\.value) == ["owl", "tit", "gone"])
        #expect(stored["kind"]?.choices.map(\.isSelected) == [false, false, true])
        #expect(stored.filled("kind", with: "tit")["kind"]?.choices.map(\.isSelected) == [false, true, false])
        #expect(try Self.fields.filled(with: ["kind": ""])["kind"]?.choices.count == 2)
        // The form may come back because of another field.
        let form = InvalidForm(typed: ["kind": "gone"], error: HTTPError(.conflict, field: "eggs", "Full."))
        #expect(Self.fields.typed(form)["kind"]?.choices.map(\.isSelected) == [false, false, true])
        #expect(stored.typed(form)["kind"]?.choices.map(\.isSelected) == [false, false, true])
    }

    @Test func `a file is never shown again, whatever is stored or was sent`() throws {
        let fields = FieldSet(.file("photo", "Photo", accept: "image/*"), .file("film", "Film"))
        #expect(fields.filled("photo", with: "1.png")["photo"]?.value == "")
        #expect(try fields.filled(with: ["photo": "1.png"])["photo"]?.value == "")
        let form = InvalidForm(typed: ["photo": "1.png"], error: HTTPError(.conflict, field: "photo", "No."))
        let typed = fields.typed(form)
        let field = "{{type}}:{{value}}{{#attributes}} {{name}}={{value}}{{/attributes}}"
        #expect(try Self.rendered(typed, "{{#fields.all}}\(field);{{/fields.all}}") == "file: accept=image/*;file:;")
        #expect(typed["photo"]?.error == "No.")
    }

    @Test func `a value without members fills none`() throws {
        // What is no member has an empty name. The number is that of its own cell, which was once taken for a member.
        let fields = FieldSet(.text("", "Nameless"))
        #expect(try fields.filled(with: 1) == fields)
        #expect(try fields.filled(with: ["oak"]) == fields)
        #expect(try fields.filled(with: Nest?.none) == fields)
    }

    @Test(arguments: [
        ("2026-01-31T12:30:45Z", "2026-01-31T12:30:45"), ("2026-01-31T12:30:00Z", "2026-01-31T12:30"),
        ("2026-01-31T12:30:45.250Z", "2026-01-31T12:30:45.250"),
        ("2026-01-31T12:30:45.250125Z", "2026-01-31T12:30:45.250"), ("2026-01-31T12:30", "2026-01-31T12:30"),
    ])
    func `a stored time keeps its seconds`(stored: String, shown: String) {
        let fields = FieldSet(.text("found", "Found", type: "datetime-local")).filled("found", with: stored)
        #expect(fields["found"]?.value == shown)
    }

    @Test func `a refused form has what was typed, and its errors`() throws {
        let form = InvalidForm(
            typed: ["tree": String(repeating: "é", count: 100), "eggs": "<", "secret": "x"],
            error: HTTPError(.unprocessableContent, at: ["/eggs": "No.", "/secret": "Short."]))
        let fields = Self.fields.typed(form)
        #expect(fields["tree"]?.value == String(repeating: "é", count: 20))
        #expect(fields["secret"]?.value == "")
        #expect(fields.fields.map(\.isFirstError) == [false, true, false, false, false, false])
        #expect(fields.hasErrors && !Self.fields.hasErrors)
        let template = "{{#fields.eggs}}{{value}} {{error}} {{describedBy}} {{type}}{{/fields.eggs}}"
        #expect(try Self.rendered(fields, template) == "&lt; No. eggs-error number")
    }

    @Test func `a text that was not sent stays, and a box is not ticked then`() throws {
        let stored = try Self.fields.filled(with: Nest(tree: "oak", eggs: 3, kind: "tit", warm: true))
        let form = InvalidForm(typed: ["eggs": "x"], error: HTTPError(.conflict, field: "tree", "Taken."))
        let fields = stored.typed(form)
        #expect(fields.fields.map(\.value) == ["oak", "x", "tit", "", "", ""])
        #expect(fields["kind"]?.choices.map(\.isSelected) == [false, true])
        #expect(fields["tree"]?.error == "Taken.")
    }

    @Test(arguments: [
        ("on", true), ("True", true), ("1", true), ("off", false), ("0", false), ("FALSE", false), ("", false),
    ])
    func `a box comes back ticked if what was sent is read as true`(sent: String, isTicked: Bool) throws {
        struct Box: Decodable { var warm: Bool }
        #expect(try FormDecoder.decode(Box.self, from: ["warm": sent]).warm == isTicked)
        let form = InvalidForm(typed: ["warm": sent], error: HTTPError(.conflict, "Full."))
        let template = "{{#fields.warm}}{{#isChecked}}ticked{{/isChecked}}{{/fields.warm}}"
        #expect(try Self.rendered(Self.fields.typed(form), template) == (isTicked ? "ticked" : ""))
    }

    @Test func `fields with one name have a typed text each`() throws {
        let fields = FieldSet(
            .text("tags", "Tag"), .text("tree", "Tree"), .text("tags", "Tag"), .text("tags", "Tag"),
            .checkbox("warm", "Warm"), .checkbox("warm", "Warmer"))
        let typed = Form([("tags", "a"), ("tree", "oak"), ("tags", ""), ("tags", "c"), ("warm", "true")])
        let form = InvalidForm(typed: typed, error: HTTPError(.conflict, "Full."))
        let stored = fields.filled("tags", with: "stored")
        #expect(stored.typed(form).fields.map(\.value) == ["a", "oak", "", "c", "true", "true"])
        #expect(form.typed[values: "tags"] == ["a", "", "c"])
    }

    @Test func `the message of the form has those about fields that are not shown`() {
        var error = HTTPError(.unprocessableContent, field: "tree", "Taken.")
        #expect(InvalidForm(typed: [:], error: error).message(besides: Self.fields) == nil)
        error.parts.append(HTTPError.Part("/version", "Must be a number."))
        #expect(InvalidForm(typed: [:], error: error).message(besides: Self.fields) == "version: Must be a number.")
        let whole = HTTPError(.conflict, "Full.")
        #expect(InvalidForm(typed: [:], error: whole).message(besides: Self.fields) == "Full.")
    }

    @Test func `the message of the form is among them, unless a field has its name`() throws {
        let full = InvalidForm(typed: [:], error: HTTPError(.conflict, "Full."))
        let template = "{{#fields.failed}}{{fields.error}}{{/fields.failed}}"
        #expect(try Self.rendered(Self.fields, template) == "")
        #expect(try Self.rendered(Self.fields.typed(full), template) == "Full.")
        let named = FieldSet(.text("error", "Error")).typed(full)
        #expect(try Self.rendered(named, "{{fields.error.label}}") == "Error")
    }

    @Test func `a field without an error does not find that of the page`() throws {
        let template = "{{#fields.tree}}{{label}}{{#error}}wrong{{/error}}{{#hint}}hint{{/hint}}{{/fields.tree}}"
        #expect(try Self.rendered(Self.fields, template) == "Tree")
        let attributes = "{{#fields.tree}}{{#attributes}}{{name}}={{value}}{{/attributes}}{{/fields.tree}}"
        #expect(try Self.rendered(Self.fields, attributes) == "maxlength=10")
    }

    private static func client() throws -> TestClient {
        let application = try Application(templates: Templates(sources: ["page": "{{fields.tree.value}}"])) { routes in
            routes.post(Path("/nests")) { request in
                try await request.handleForm(
                    Nest.self,
                    rules: { nest, check in
                        await Task.yield()
                        guard !check.hasFault("tree") else { return }
                        check.that("tree", nest.tree != "oak", "Taken.")
                    }
                ) { nest in
                    .text(nest.tree)
                } invalid: { form in
                    View("page", Page(fields: Self.fields.typed(form)))
                }
            }
        }
        return TestClient(application)
    }

    @Test(arguments: [false, true])
    func `rules that wait are told with the others`(isJSON: Bool) async throws {
        let client = try Self.client()
        func post(_ tree: String, _ eggs: Int) async throws -> WireClient.Response {
            isJSON
                ? try await client.post("/nests", json: Nest(tree: tree, eggs: eggs))
                : try await client.post(
                    "/nests", form: ["tree": tree, "eggs": "\(eggs)"], headers: [.accept: "application/json"])
        }
        #expect(try await post(" elm ", 3).text == "elm")
        if isJSON {
            let both = try await post("oak", 13)
            #expect(both.status == .unprocessableContent)
            #expect(both.text.contains("Taken."))
            #expect(both.text.contains("/eggs"))
            let empty = try await post(" ", 3)
            #expect(empty.text.contains("Must not be empty."))
            #expect(!empty.text.contains("Taken."))
        }
        #expect(try await post("oak", 3).status == .unprocessableContent)
        try await client.stop()
    }

    @Test(arguments: [
        ("application/json", "application/problem+json"), ("text/html;q=0, */*", "application/problem+json"),
        ("text/plain", "text/plain"), ("*/*", "text/html"), ("application/json, text/*;q=0.5", "text/html"),
        (nil, "text/html"),
    ])
    func `a form without files comes back unless its sender excludes a page`(
        accept: String?, type: String
    ) async throws {
        let client = try Self.client()
        let headers: Headers = accept.map { [.accept: $0] } ?? [:]
        let response = try await client.post("/nests", form: ["tree": "oak", "eggs": "3"], headers: headers)
        #expect(response.status == .unprocessableContent)
        #expect(response.headers[.contentType]?.hasPrefix(type) == true, "\(response.text)")
        #expect((response.text == "oak") == (type == "text/html"), "\(response.text)")
        try await client.stop()
    }

    @Test func `a form shows all mistakes, and keeps what was typed`() async throws {
        let client = try Self.client()
        let response = try await client.post(
            "/nests", form: ["tree": "oak", "eggs": "many"], headers: [.accept: "text/html"])
        #expect(response.status == .unprocessableContent)
        #expect(response.text == "oak")
        try await client.stop()
    }
}
