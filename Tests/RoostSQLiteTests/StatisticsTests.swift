import RoostSQL
import RoostSQLite
import Testing

/// SQLite's statistics, by which it chooses indexes as long as a program runs.
@Suite("The statistics of SQLite", .timeLimit(.minutes(5)))
struct StatisticsTests {
    private struct Plan: Decodable, Sendable {
        let detail: String
    }

    /// The number of rows that each table has in the statistics.
    private static func sizes(_ database: Database) async throws -> [String] {
        try await database.query(
            "SELECT DISTINCT tbl || ' ' || CAST(stat AS INTEGER) FROM sqlite_stat1 ORDER BY 1", as: String.self)
    }

    /// Runs a test with statistics which say that a table has two rows, and that another one has many. Two programs
    /// have the file open: the second one finds them when it starts.
    private static func run(
        _ access: SQLFileAccess = .writing, _ body: (_ first: Database, _ second: Database) async throws -> Void
    ) async throws {
        try await Scratch.run { (first, scratch) async throws in
            try await first.execute("CREATE TABLE eggs (key TEXT PRIMARY KEY, laid_at INTEGER NOT NULL)")
            try await first.execute("CREATE INDEX eggs_laid_at ON eggs (laid_at)")
            try await first.execute("INSERT INTO eggs VALUES ('a', 1), ('b', 2)")
            try await first.execute("ANALYZE")
            try await first.execute("UPDATE sqlite_stat1 SET stat = '20000 1' WHERE tbl = 'users'")
            #expect(try await sizes(first) == ["eggs 2", "users 20000"])
            try await again(scratch, access) { try await body(first, $0) }
        }
    }

    /// Runs a test with a program that opens the file anew.
    private static func again(
        _ scratch: Scratch, _ access: SQLFileAccess = .writing, _ body: (Database) async throws -> Void
    ) async throws {
        let database = scratch.database({ $0.access = access })
        try await database.start()
        do {
            try await body(database)
        } catch {
            await database.stop()
            throw error
        }
        await database.stop()
    }

    @Test func `no table is small in them when the file is open, so that indexes are used`() async throws {
        try await Self.run { (_, database) async throws in
            #expect(try await Self.sizes(database) == ["eggs 10000", "users 20000"])
            let plan: SQL = "EXPLAIN QUERY PLAN SELECT laid_at FROM eggs WHERE key IN ('a', 'b', 'c')"
            let ofReader = try await database.query(plan, as: Plan.self)
            let ofWriter = try await database.transaction { try await $0.query(plan, as: Plan.self) }
            for plan in [ofReader, ofWriter] {
                let details = plan.map(\.detail)
                #expect(!details.isEmpty && details.allSatisfy { !$0.contains("SCAN") }, "\(details)")
            }
        }
    }

    @Test func `a stop does not bring them back`() async throws {
        try await Self.run { (first, second) async throws in
            // SQLite would like to know which of the two indexes is the better one.
            let statement: SQL = "SELECT key FROM eggs WHERE laid_at > 1 AND key > 'a'"
            #expect(try await second.transaction { try await $0.query(statement, as: String.self) } == ["b"])
            await second.stop()
            #expect(try await Self.sizes(first) == ["eggs 10000", "users 20000"])
        }
    }

    @Test func `a small table does not count as larger than a large one`() async throws {
        try await Scratch.run { (first, scratch) async throws in
            try await first.execute("CREATE TABLE shops (id INTEGER PRIMARY KEY, city TEXT)")
            try await first.execute("CREATE TABLE orders (shop_id INTEGER, note TEXT)")
            try await first.execute("CREATE INDEX orders_shop ON orders (shop_id)")
            try await first.execute("INSERT INTO shops VALUES (1, 'Rome')")
            try await first.execute("INSERT INTO orders VALUES (1, 'x')")
            try await first.execute("ANALYZE")
            try await first.execute("UPDATE sqlite_stat1 SET stat = '300000 200' WHERE tbl = 'orders'")
            let plan: SQL = """
                EXPLAIN QUERY PLAN
                SELECT count(orders.note) FROM orders JOIN shops ON shops.id = shop_id WHERE city = 'Rome'
                """
            try await Self.again(scratch) { second in
                let details = try await second.query(plan, as: Plan.self).map(\.detail)
                #expect(details.count == 2 && details[0].hasPrefix("SCAN shops"), "\(details)")
            }
        }
    }

    @Test func `a program that only reads leaves them`() async throws {
        try await Self.run(.reading) { (first, second) async throws in
            #expect(try await Self.sizes(second) == ["eggs 2", "users 20000"])
            await second.stop()
            #expect(try await Self.sizes(first) == ["eggs 2", "users 20000"])
        }
    }
}
