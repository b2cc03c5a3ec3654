import Roost
import RoostSQL
import RoostTesting
import Testing

/// A page begins at its cursor, although a filter has another bound for the same column. An event loop reads it: that
/// is broken off after a few thousand steps.
@Suite("Steps of SQLite for pages of lists", .timeLimit(.minutes(5)))
struct PageStepsTests {
    private static let order = PageOrder(\PlacedRow.id).by("height", \.id)

    private static let pages: [(filter: String, start: PageQuery.Start, sort: String?, first: Int)] = [
        ("height > 0", .after("19900.19900"), "height", 19_901), ("height < 20001", .before("100.100"), "height", 95),
        ("height >= 0 AND height < 20001", .after("19900.19900"), "height", 19_901),
        ("height >= 0 AND height < 20001", .before("100.100"), "height", 95),
        ("id > 0", .after("19900"), nil, 19_901), ("id < 20001", .before("100"), nil, 95),
    ]

    @Test(arguments: [false, true])
    func `do not grow with the rows between a filter's bound and the cursor`(isAnalyzed: Bool) async throws {
        try await Scratch.run { (database, _) async throws in
            try await database.execute("CREATE TABLE perches (id INTEGER PRIMARY KEY, height INTEGER NOT NULL)")
            try await database.execute("CREATE INDEX perches_height ON perches (height, id)")
            try await database.execute(
                """
                WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                INSERT INTO perches SELECT i, i FROM n
                """)
            if isAnalyzed { try await database.execute("ANALYZE") }
            try await PlacedRow.onLoop {
                try await PlacedRow.warm(database)
                for page in Self.pages {
                    let ids = try await Self.ids(page.filter, page.start, page.sort, database)
                    #expect(ids == Array(page.first..<page.first + 5), "\(page)")
                }
            }
        }
    }

    /// Some twenty rows, although they must be sorted then, and not all beyond the cursor.
    @Test(arguments: [false, true])
    func `leave a filter its index`(isAnalyzed: Bool) async throws {
        try await Scratch.run { (database, _) async throws in
            try await database.execute(
                "CREATE TABLE perches (id INTEGER PRIMARY KEY, tree TEXT, age INTEGER, height INTEGER NOT NULL)")
            try await database.execute("CREATE INDEX perches_tree ON perches (tree, id)")
            try await database.execute("CREATE INDEX perches_age ON perches (age, id)")
            try await database.execute("CREATE INDEX perches_height ON perches (height, id)")
            try await database.execute(
                """
                WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                INSERT INTO perches SELECT i, 'tree ' || (i % 1000), (i * 7919) % 20000, i FROM n
                """)
            if isAnalyzed { try await database.execute("ANALYZE") }
            for (filter, index) in [
                ("tree = 'tree 7'", "perches_tree (tree=?"),
                ("age BETWEEN 700 AND 720", "perches_age (age>? AND age<?"),
            ] {
                let rows = SQL(unchecked: "SELECT * FROM perches WHERE " + filter)
                var queries = [PageQuery(limit: 5, start: .after("10.10"), sort: "height")]
                // Without statistics, SQLite reads in the order of the ids.
                if isAnalyzed { queries.append(PageQuery(limit: 5, start: .after("10"))) }
                for query in queries {
                    let statement = try Self.order.sql(rows, for: query, in: .sqlite)
                    let plan = try await database.query("EXPLAIN QUERY PLAN \(statement)", as: Plan.self).map(\.detail)
                    #expect(plan.contains { $0.contains(index) }, "\(query): \(plan)")
                }
            }
        }
    }

    private struct Plan: Decodable, Sendable {
        let detail: String
    }

    /// The ids on a page, once an event loop has read it.
    private static func ids(
        _ filter: String, _ start: PageQuery.Start, _ sort: String?, _ database: Database
    ) async throws -> [Int] {
        let rows = SQL(unchecked: "SELECT id, height FROM perches WHERE " + filter)
        let query = PageQuery(limit: 5, start: start, sort: sort)
        for _ in 0..<100_000 {
            let page = try await database.page(query, rows, order: order)
            if page.rows.allSatisfy(\.isOnLoop) { return page.rows.map(\.id) }
        }
        throw PlacedRow.NeverOnLoop()
    }
}
