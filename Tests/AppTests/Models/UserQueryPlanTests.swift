import Roost
import RoostSQL
import Testing

@testable import App

/// It must not matter where a page of the list begins: a million users may have the same name.
@Suite("Pages of a long list in SQLite", .timeLimit(.minutes(5)))
struct UserQueryPlanTests {
    private static let count = 20_000

    @Test(.timeLimit(.minutes(5)), arguments: ["", "nel"])
    func `cost no more at the end`(name: String) async throws {
        let database = try await TestDatabase.sqlite()
        try await database.execute(
            """
            WITH RECURSIVE n(i) AS (VALUES (3) UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.count))
            INSERT INTO users (id, name, name_key) SELECT i, 'Nelson', 'nelson' FROM n
            """
        )
        let users = SQLUserRepository(database: database)
        let key = name.isEmpty ? "" : "nelson"
        for id in [1, 10, Self.count / 2, Self.count - 10] {
            let place = name.isEmpty ? "\(id)" : "\(id).\(key)"
            for start in [PageQuery.Start.after(place), .before(place)] {
                let query = UserQuery(name: name, page: PageQuery(limit: 5, start: start))
                let page = try await users.list(query)
                #expect(page.rows.count <= 5)
                let statement = try query.order.sql(#require(query.statement), for: query.page, in: .sqlite)
                let plan = try await database.query("EXPLAIN QUERY PLAN \(statement)", as: Plan.self)
                #expect(plan.allSatisfy { $0.isBounded }, "\(plan.map(\.detail))")
            }
        }
        await database.stop()
    }

    private struct Plan: Decodable, Sendable {
        let detail: String

        /// No scan of a table, no sorting.
        var isBounded: Bool { !detail.contains("SCAN") && !detail.contains("TEMP B-TREE") }
    }
}
