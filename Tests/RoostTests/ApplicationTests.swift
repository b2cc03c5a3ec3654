import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

@Suite("An application that does not mention middleware", .timeLimit(.minutes(5)))
struct ApplicationTests {
    struct Oops: Error, CustomStringConvertible { let description = "oops\n2026 info forged \u{1B}[31m" }

    @Test func `is protected, and logs what happens`() async throws {
        let log = LogLines()
        let pages = ErrorPages(logger: log.logger, explains: false)
        let middleware = Application.standardMiddleware(logger: log.logger, errorPages: pages)
        let app = try Application(logger: log.logger, middleware: middleware) { routes in
            routes.get(Path("/fails/{name}", String.self)) { (_, _) throws -> String in throw Oops() }
            routes.post(Path("/form")) { _ in "done" }
        }
        let client = TestClient(app)
        let response = try await client.get("/fails/x%0aforged%1b")
        #expect(response.status == .internalServerError)
        #expect(!response.text.contains("oops"))
        #expect(response.headers[.xContentTypeOptions] == "nosniff")
        let origin = try await client.request(.post, "/form", headers: [.origin: "https://evil.example"])
        #expect(origin.status == .forbidden)
        let lines = log.all
        #expect(lines.contains { $0.contains("GET /fails/x%0aforged%1b: oops\\u{a}2026 info forged \\u{1b}[31m") })
        #expect(lines.contains { $0.hasPrefix("127.0.0.1 POST /form 403") })
        #expect(lines.allSatisfy { !$0.contains("\n") && !$0.contains("\u{1B}") })
    }

    @Test func `logs an unexpected error even if no middleware does`() async throws {
        let log = LogLines()
        let app = try Application(logger: log.logger, middleware: []) { routes in
            routes.get(Path("/now")) { _ throws -> String in throw Oops() }
            routes.get(Path("/later")) { _ async throws -> String in throw Oops() }
            routes.get(Path("/known")) { _ throws -> String in throw HTTPError(.notFound) }
        }
        let client = TestClient(app)
        for path in ["/now", "/later"] { #expect(try await client.get(path).status == .internalServerError) }
        #expect(try await client.get("/known").status == .notFound)
        #expect(log.all.count == 2)
        #expect(log.all.allSatisfy { !$0.contains("\n") && !$0.contains("\u{1B}") })
    }

    @Test func `explains errors in development, which the tests run in`() async throws {
        let app = try Application(logger: LogLines().logger) { routes in
            routes.get(Path("/fails")) { _ throws -> String in throw Oops() }
        }
        #expect(try await TestClient(app).get("/fails").text.contains("oops"))
    }
}
