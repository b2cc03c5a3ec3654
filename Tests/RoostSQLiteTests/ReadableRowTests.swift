import RoostSQL
import Testing

@Suite("Rows of SQLite that read themselves", .timeLimit(.minutes(5)))
struct ReadableRowTests {
    private struct Row: SQLReadable, Equatable {
        var first: String?
        var second: Int?
        var third: Double?
        var fourth: [UInt8]?

        init(_ first: String?, _ second: Int?, _ third: Double? = nil, _ fourth: [UInt8]? = nil) {
            (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
        }

        init(reading columns: inout SQLColumns) throws {
            first = try columns.readIfPresent("first")
            second = try columns.readIfPresent("second")
            third = try columns.readIfPresent("third")
            fourth = try columns.readIfPresent("fourth")
        }
    }

    /// Runs a body on an event loop that reads in place.
    private static func onLoop(_ body: @escaping @Sendable (Database) async throws -> Void) async throws {
        try await Scratch.run { (database, _) async throws in
            try await PlacedRow.onLoop {
                try await PlacedRow.warm(database)
                try await body(database)
            }
        }
    }

    @Test func `each row has its own, also where two statements are one`() async throws {
        try await Self.onLoop { (database) async throws in
            let long = String(repeating: "é", count: 500)
            let sql: SQL = """
                SELECT 'a' AS first, 1 AS second, 1.5 AS third, x'00ff' AS fourth
                UNION ALL SELECT NULL, NULL, NULL, NULL
                UNION ALL SELECT \(long), \(Int.max), 2, NULL
                UNION ALL SELECT * FROM (SELECT name, id, id, NULL FROM users WHERE id < 3 ORDER BY id DESC)
                UNION ALL SELECT 'fifteen bytes..', -1, NULL, x''
                """
            let expected = [
                Row("a", 1, 1.5, [0, 255]), Row(nil, nil), Row(long, .max, 2), Row("Cathy", 2, 2), Row("Nelson", 1, 1),
                Row("fifteen bytes..", -1, nil, []),
            ]
            for _ in 0..<3 { #expect(try await database.query(sql, as: Row.self) == expected) }
        }
    }

    @Test func `a table that gets another column is read anew`() async throws {
        try await Self.onLoop { (database) async throws in
            try await database.execute("CREATE TABLE notes (second INTEGER, first TEXT, third REAL, fourth BLOB)")
            try await database.execute("INSERT INTO notes VALUES (1, 'one', 0.5, NULL)")
            for _ in 0..<2 {
                #expect(try await database.query("SELECT * FROM notes", as: Row.self) == [Row("one", 1, 0.5)])
            }
            try await database.execute("ALTER TABLE notes RENAME COLUMN first TO other")
            try await database.execute("ALTER TABLE notes ADD COLUMN first TEXT DEFAULT 'new'")
            for _ in 0..<2 {
                #expect(try await database.query("SELECT * FROM notes", as: Row.self) == [Row("new", 1, 0.5)])
            }
        }
    }
}
