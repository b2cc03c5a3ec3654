import Engines
import Roost
import RoostSQL
import RoostTesting
import Testing

@Suite("Plans in the window of development", .timeLimit(.minutes(5)))
struct StatementPlanTests {
    private struct One: Decodable, Sendable { let id: Int }

    /// The plan of PostgreSQL has the values in it.
    @Test(arguments: Engine.allCases)
    func `a statement about secrets has no plan, any other has one`(engine: Engine) async throws {
        try await engine.run { databases in
            let database = databases[0]
            let application = try Application { routes in
                routes.get(Path("/{mark}", String.self)) { _, mark in
                    let users = try await database.query(
                        "SELECT id FROM users WHERE name = \("hush") AND \(SQL(unchecked: "'\(mark)' <> ''"))",
                        as: One.self)
                    return "\(users.count)"
                }
            }
            let client = TestClient(application.showingWindow)
            for (number, (mark, hasPlan)) in [("plain", true), ("token", false)].enumerated() {
                #expect(try await client.get("/\(mark)").text == "0")
                let page = try await client.get("/_roost/requests/\(number + 1)").text
                #expect(page.contains("<summary>Plan</summary>") == hasPlan)
                #expect(page.contains("hush") == hasPlan)
            }
        }
    }
}
