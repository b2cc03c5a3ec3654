import Roost
import RoostTesting
import Testing

@Suite("Errors in other languages", .quietLog, .timeLimit(.minutes(5)))
struct TranslatedErrorTests {
    private static let german = MessageTable(
        "de", ["Not Found": "Nicht <gefunden>", "No owl is called {name}.": "Keine Eule heißt {name}."])

    private static let hebrew = MessageTable("he-IL", ["Not Found": "לא נמצא"])

    private static func get(_ path: String, _ accept: String, _ language: String) async throws -> WireClient.Response {
        let languages = Languages([.english, german, hebrew])
        let client = TestClient(
            try Application(middleware: [languages] + Application.standardMiddleware()) { routes in
                routes.get(Path("/owls/{name}", String.self)) { _, name -> Response in
                    throw HTTPError(.notFound, Sentence("No owl is called {name}.", ["name": name]))
                }
                routes.get(Path("/taken")) { _ -> Response in throw HTTPError(.conflict) }
            })
        return try await client.get(path, headers: [.accept: accept, .acceptLanguage: language])
    }

    @Test func `the plain page is in the language of the request, escaped`() async throws {
        let german = try await Self.get("/owls/Ada", "text/html", "de").text
        #expect(german.contains("<html lang=\"de\">"))
        #expect(german.contains("<title>Nicht &lt;gefunden&gt;</title>"))
        #expect(german.contains("<h1>404 Nicht &lt;gefunden&gt;</h1><p>Keine Eule heißt Ada.</p>"))
        let english = try await Self.get("/owls/Ada", "text/html", "en").text
        #expect(english.contains("<html lang=\"en\">") && english.contains("<h1>404 Not Found</h1><p>No owl is called"))
    }

    @Test func `so is plain text, and what a table lacks is English`() async throws {
        #expect(try await Self.get("/none", "text/plain", "de").text == "404 Nicht <gefunden>\n")
        let page = try await Self.get("/taken", "text/html", "de").text
        #expect(page.contains("<html lang=\"en\">") && page.contains("<h1>409 Conflict</h1>"))
    }

    @Test func `a status that is written as a number has its name`() async throws {
        let languages = Languages([.english, Self.german])
        let client = TestClient(
            try Application(middleware: [languages] + Application.standardMiddleware()) { routes in
                routes.get(Path("/")) { _ -> Response in throw HTTPError(404, "No such owl") }
            })
        #expect(try await client.get("/").text.contains("\"title\":\"Not Found\""))
        let page = try await client.get("/", headers: [.accept: "text/html", .acceptLanguage: "de"]).text
        #expect(page.contains("<html lang=\"de\">") && page.contains("<h1>404 Nicht &lt;gefunden&gt;</h1>"))
    }

    @Test func `a table may have the title of 507, and messages about the values of JSON`() {
        let german = MessageTable(
            "de", ["Insufficient Storage": "Kein Speicherplatz", "This member is required.": "Diese Angabe fehlt."])
        #expect(german.faults(for: []) == [])
        #expect(german.title(of: 507) == "Kein Speicherplatz")
    }

    @Test(arguments: [
        ("az-Arab", true), ("az", false), ("uz-arab-AF", true), ("ur-Latn", false), ("ar-Latn-EG", false), ("iw", true),
        ("ks", true), ("syr", true), ("nqo", true), ("ff-Adlm", true), ("he-IL", true), ("ar-1994", true),
    ])
    func `the script decides about the direction, and without one the language`(tag: String, isRightToLeft: Bool) {
        #expect(MessageTable(tag).isRightToLeft == isRightToLeft)
    }

    @Test func `a page in a language that is written from right to left says so`() async throws {
        let hebrew = try await Self.get("/none", "text/html", "he-IL").text
        #expect(hebrew.contains("<html lang=\"he-IL\" dir=\"rtl\">") && hebrew.contains("<h1>404 לא נמצא</h1>"))
        let english = try await Self.get("/taken", "text/html", "he-IL").text
        #expect(english.contains("<html lang=\"en\">") && english.contains("<h1>409 Conflict</h1>"))
        let languages = ["ar", "AR-ma", "fa-IR", "he", "ur", "arn", "de", "en-IL", ""]
        let directions = [true, true, true, true, true, false, false, false, false]
        #expect(languages.map { MessageTable($0).isRightToLeft } == directions)
    }
}
