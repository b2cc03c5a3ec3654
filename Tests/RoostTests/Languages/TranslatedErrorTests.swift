import Roost
import RoostTesting
import Testing

@Suite("Errors in other languages", .quietLog, .timeLimit(.minutes(5)))
struct TranslatedErrorTests {
    private static let german = MessageTable(
        "de", ["Not Found": "Nicht <gefunden>", "No owl is called {name}.": "Keine Eule heißt {name}."])

    private static func get(_ path: String, _ accept: String, _ language: String) async throws -> WireClient.Response {
        let languages = Languages([.english, german])
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
}
