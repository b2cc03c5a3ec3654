import Roost
import RoostTesting
import Testing

/// The page about forms: its programs are compiled in FormsSite.swift, and used here.
@Suite(.quietLog, .timeLimit(.minutes(5)))
struct `The page about forms` {
    private static func client() throws -> TestClient {
        TestClient(try makeOwlSite(key: SigningKey("a secret of at least thirty-two bytes")))
    }

    @Test(arguments: [("forms", "FormsSite", 9), ("uploads", "UploadsSite", 5)])
    func `its programs are compiled`(page: String, source: String, count: Int) {
        // What follows is compiled beside RoostHTTPClient.
        let page = Readme.contents("docs/\(page).md")
        let text = page[..<(page.firstRange(of: "\n## Files on S3\n")?.lowerBound ?? page.endIndex)]
        let site = Readme.contents("Tests/RoostTests/Docs/\(source).swift")
        let blocks = String(text).components(between: "```swift\n", and: "```")
        #expect(blocks.count == count)
        for block in blocks { #expect(site.contains(block), "\(block)") }
    }

    @Test func `its templates are those that are used`() {
        let sources = [OwlTemplates.form, OwlTemplates.field, OwlTemplates.attributes, OwlTemplates.flash].joined(
            separator: "\n")
        for block in Readme.contents("docs/forms.md").components(between: "```mustache\n", and: "```") {
            let template = block.hasSuffix("</form>\n") ? String(block.dropLast("</form>\n".count)) : block
            #expect(sources.contains(template), "\(template)")
        }
    }

    @Test func `a form is shown again with all of its errors, then taken, and the next page says so once`() async throws
    {
        let client = try Self.client()
        let wrong = try await client.post("/owls", form: ["name": " ", "wingspan": "wide", "kind": ""])
        #expect(wrong.status == .unprocessableContent)
        for text in [
            "<p id=\"name-error\">Must not be empty.</p>", "type=\"number\" value=\"wide\" aria-invalid=\"true\"",
            "<p id=\"wingspan-error\">Must be a whole number.</p>", "Choose a kind.",
            "required maxlength=\"40\" aria-invalid=\"true\" aria-describedby=\"name-error\" autofocus",
        ] {
            #expect(wrong.text.contains(text), "\(wrong.text)")
        }
        let taken = try await client.post("/owls", form: ["name": " Tawny ", "wingspan": "95", "kind": "barn"])
        #expect(taken.status == .seeOther)
        let list = try await client.get("/owls")
        #expect(list.text == "<p role=\"status\">Tawny was added.</p>\n<li>Tawny</li>")
        #expect(list.headers[.cacheControl] == "no-store")
        #expect(try await client.get("/owls").text == "<li>Tawny</li>")
        let again = try await client.post("/owls", form: ["name": "Tawny", "kind": "barn"])
        #expect(again.status == .conflict)
        #expect(again.text.contains("value=\"Tawny\""))
        #expect(again.text.contains("There is an owl of this name."))
    }

    @Test func `a page's form changes and removes`() async throws {
        let client = try Self.client()
        _ = try await client.post("/owls", form: ["name": "Tawny", "kind": "barn"])
        let form = try await client.get("/owls/1/edit")
        #expect(form.text.contains("<form method=\"post\" action=\"/owls/1?_method=patch\">"))
        let changed = try await client.post("/owls/1?_method=patch", form: ["name": "Barn", "kind": "barn"])
        #expect(changed.status == .seeOther)
        #expect(try await client.get("/owls").text.contains("<li>Barn</li>"))
        let removed = try await client.post("/owls/1?_method=delete", form: [:])
        #expect(removed.status == .seeOther)
        #expect(try await client.get("/owls").text == "<p role=\"status\">Barn was removed.</p>\n")
        #expect(try await client.delete("/owls/1").status == .notFound)
    }

    @Test func `the choices of a form are rows, and that of a refused one stays chosen`() {
        let hollows = [Hollow(id: 3, tree: "Oak"), Hollow(id: 7, tree: "Elm")]
        let form = InvalidForm(typed: ["hollow": "7"], error: HTTPError(.conflict, field: "hollow", "It is taken."))
        let field = HollowPage(hollows, form).fields["hollow"]
        #expect(field?.choices.map(\.label) == ["Choose a hollow", "Oak", "Elm"])
        #expect(field?.choices.map(\.isSelected) == [false, false, true])
        #expect(field?.error == "It is taken." && HollowPage(hollows).fields["hollow"]?.value == "")
    }

    @Test func `a form beyond the limit keeps what was typed`() async throws {
        let templates = try Templates(sources: OwlTemplates.all)
        let client = TestClient(try Application(templates: templates) { $0.add(LetterController()) })
        for _ in 1...3 { #expect(try await client.post("/letters", form: ["text": "Hoot"]).status == .ok) }
        let refused = try await client.post("/letters", form: ["text": "Hoot!"])
        #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] != nil)
        #expect(refused.text.hasPrefix("Too many requests: try again in "), "\(refused.text)")
        #expect(refused.text.contains("value=\"Hoot!\""), "\(refused.text)")
    }

    @Test func `a program gets problem details`() async throws {
        let response = try await Self.client().post("/owls", json: ["name": "", "kind": "eagle", "again": "a@b"])
        #expect(response.status == .unprocessableContent)
        #expect(response.headers[.contentType] == "application/problem+json")
        for part in [
            ##"{"pointer":"#/name","detail":"Must not be empty."}"##,
            ##"{"pointer":"#/kind","detail":"Is not one of the choices."}"##,
            ##"{"pointer":"#/again","detail":"The addresses differ."}"##,
        ] { #expect(response.text.contains(part), "\(response.text)") }
    }

    @Test func `the client's language is spoken`() async throws {
        let client = try Self.client()
        let headers: Headers = [.acceptLanguage: "fr, de-CH;q=0.9, en;q=0.1"]
        let form: Form = ["name": "", "wingspan": "999", "kind": ""]
        let wrong = try await client.post("/owls", form: form, headers: headers)
        #expect(wrong.text.contains("<p id=\"name-error\">Darf nicht leer sein.</p>"))
        #expect(wrong.text.contains("<p id=\"wingspan-error\">Muss von 5 bis 350 gehen.</p>"))
        #expect(wrong.text.contains("Bitte eine Art wählen."))
        #expect(wrong.headers[.contentLanguage] == "de")
        #expect(wrong.headers[values: .vary].contains("Accept-Language"))
        let page = try await client.get("/owls", headers: headers)
        #expect(page.status == .ok && page.headers[values: .vary].contains("Accept-Language"))
        let missing = try await client.get("/nowhere", headers: headers)
        #expect(missing.text.contains(#""title":"Nicht gefunden""#))
        #expect(try await client.get("/nowhere").text.contains(#""title":"Not Found""#))
        let english = try await client.post("/owls", form: ["name": ""], headers: [.acceptLanguage: "fr, en"])
        #expect(english.text.contains("<p id=\"name-error\">Must not be empty.</p>"))
    }

    @Test func `a signed cookie comes back, and a forged one does not`() async throws {
        let client = try Self.client()
        #expect(try await client.get("/theme").text == "dawn")
        _ = try await client.post("/theme", form: ["theme": "dusk"])
        #expect(try await client.get("/theme").text == "dusk")
        let signed = try #require(client.cookie("theme"))
        for forged in [signed + "x", String(signed.dropLast()), "dusk", ""] {
            #expect(try await client.get("/theme", headers: [.cookie: "theme=\(forged)"]).text == "dawn", "\(forged)")
        }
    }
}
