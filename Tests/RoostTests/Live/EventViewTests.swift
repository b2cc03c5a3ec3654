import Roost
import RoostTesting
import Testing

/// Views as events of a stream.
@Suite("Views in event streams", .timeLimit(.minutes(5)), .quietLog)
struct EventViewTests {
    private struct Plan: Encodable, Sendable { let seats: Int }
    private struct Values: Encodable, Sendable { let town: String }

    private func client() throws -> TestClient {
        let templates = try Templates(sources: ["plan": "<p>{{seats}} seats</p>\n<p>{{town}}</p>"])
        let values: @Sendable (Request) async throws -> any Encodable & Sendable = { request in
            await Task.yield()
            return Values(town: request.query["town"] ?? "<Ely>")
        }
        return TestClient(
            try Application(templates: templates, pageValues: values, middleware: []) { routes in
                routes.events(Path("/plan")) { _, events in
                    try await events.send(View("plan", Plan(seats: 7)), event: "plan", id: "3")
                }
                routes.get(Path("/bare")) { _ in
                    Response.events { events in try await events.send(View("plan", Plan(seats: 7))) }
                }
            })
    }

    @Test func `a view has the values that every page has`() async throws {
        let client = try client()
        let event = try await client.events("/plan").next()
        #expect(event?.name == "plan")
        #expect(event?.id == "3")
        #expect(event?.data == "<p>7 seats</p>\n<p>&lt;Ely&gt;</p>")
        #expect(try await client.events("/plan?town=Bath").next()?.data == "<p>7 seats</p>\n<p>Bath</p>")
    }

    @Test func `a stream that is not a route of its own has no templates, and breaks off`() async throws {
        #expect(try await client().events("/bare").next() == nil)
    }
}
