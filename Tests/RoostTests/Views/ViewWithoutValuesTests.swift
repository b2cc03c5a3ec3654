import HTTPTypes
import Roost
import RoostTesting
import Testing

@Suite("Pages without values of their own", .quietLog, .timeLimit(.minutes(1)))
struct ViewWithoutValuesTests {
    private struct Values: Encodable, Sendable { let visitor = "Ann" }

    @Test func `show those of every page, and are named by their template alone`() async throws {
        let templates = try Templates(sources: ["about": "About {{visitor}}", "gone": "Gone", "wrong": "{{other}}"])
        let application = try Application(templates: templates, pageValues: { _ in Values() }) { routes in
            routes.get(Path("/about")) { _ in View("about") }
            routes.get(Path("/gone")) { _ in View("gone", status: .gone) }
            routes.get(Path("/wrong")) { _ in View("wrong") }
        }
        let client = TestClient(application)
        #expect(try await client.get("/about").text == "About Ann")
        #expect(try await client.get("/gone").status == .gone)
        #expect(try await client.get("/wrong").status == .internalServerError)
        try await client.stop()
    }
}
