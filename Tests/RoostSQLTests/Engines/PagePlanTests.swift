import Engines
import Roost
import RoostSQL
import Testing

/// It must not matter where a page begins. What SQLite reads is counted in `RoostSQLiteTests`.
@Suite("Plans for pages of lists in PostgreSQL", .timeLimit(.minutes(5)))
struct PagePlanTests {
    private struct Perch: Decodable, Sendable {
        let id: Int
        let tree: String
        let height: Int
    }

    private static let order = PageOrder(\Perch.id).by("tree", \.tree).by("height", \.height)

    /// With fewer rows, or fewer on a tree, PostgreSQL may rather read and sort them all.
    @Test(arguments: Engine.allCases.filter { $0 == .postgresql })
    func `a page after a cursor reads no whole table`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await database.execute(
                "CREATE TABLE perches (id INT PRIMARY KEY, tree TEXT NOT NULL, height INT NOT NULL)")
            try await database.execute(
                "INSERT INTO perches SELECT n, 'tree ' || n / 4000, n FROM generate_series(1, 20000) AS n")
            for column in ["tree", "height"] {
                try await database.execute("CREATE INDEX ON perches (\(identifier: column), id)")
            }
            try await database.execute("ANALYZE perches")
            let rows: SQL = "SELECT id, tree, height FROM perches WHERE height > \(3)"
            for (sort, cursor) in [("tree", "10000.tree 2"), ("height", "10000.10000")] {
                for isDescending in [false, true] {
                    for start in [PageQuery.Start.after(cursor), .before(cursor)] {
                        let query = PageQuery(limit: 50, start: start, sort: sort, isDescending: isDescending)
                        let page = try await database.page(query, rows, order: Self.order)
                        #expect(page.rows.count == 50)
                        let statement = try Self.order.sql(rows, for: query, in: .postgresql)
                        let plan = try await database.query("EXPLAIN \(statement)", as: String.self)
                        #expect(plan.contains { $0.contains("Merge Append") }, "\(plan)")
                        #expect(plan.allSatisfy { !$0.contains("Seq Scan") && !$0.contains("Bitmap") }, "\(plan)")
                    }
                }
            }
        }
    }
}
