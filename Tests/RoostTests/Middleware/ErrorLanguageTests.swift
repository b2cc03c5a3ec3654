import Roost
import RoostTesting
import Testing

@Suite("The language of an error", .quietLog, .timeLimit(.minutes(5)))
struct ErrorLanguageTests {
    private static let german = MessageTable("de", ["Not Found": "Nicht gefunden"])

    /// The language of an account, which goes before the browser's.
    private struct OwnLanguage: Filter {
        func before(_ request: inout Request) -> Response? {
            request.messages = german
            return nil
        }
    }

    private static func client(_ more: [any Middleware]) throws -> TestClient {
        let middleware: [any Middleware] = [Languages([.english, german])] + more
        return TestClient(
            try Application(middleware: middleware + [ErrorPages(logger: LogLines().logger)]) { _ in })
    }

    @Test(arguments: ["text/html", "application/json"])
    func `the field names that in which the error is shown`(type: String) async throws {
        let client = try Self.client([OwnLanguage()])
        let response = try await client.get("/nothing", headers: [.accept: type, .acceptLanguage: "en"])
        #expect(response.text.contains("Nicht gefunden"), "\(response)")
        #expect(response.headers[values: .contentLanguage] == ["de"])
    }

    @Test func `without another choice, it is the browser's`() async throws {
        for language in ["de", "en"] {
            let headers: Headers = [.accept: "text/html", .acceptLanguage: language]
            let response = try await Self.client([]).get("/nothing", headers: headers)
            #expect(response.headers[values: .contentLanguage] == [language])
        }
    }

    @Test func `a handler's own error has it also where there is one language`() async throws {
        let middleware: [any Middleware] = [Languages([.english]), ErrorPages(logger: LogLines().logger)]
        let client = TestClient(
            try Application(middleware: middleware) { routes in
                routes.get(Path("/taken")) { _ in Response.text("Taken", status: .conflict) }
            })
        for path in ["/taken", "/nothing"] {
            let response = try await client.get(path)
            #expect(response.headers[values: .contentLanguage] == ["en"], "\(path)")
            #expect(!response.headers[values: .vary].contains { $0.contains("Accept-Language") }, "\(path)")
        }
    }
}
