import RoostSQL
import RoostSQLite
import Testing

@Suite("Values that have no place in their statement", .timeLimit(.minutes(5)))
struct UnusedValueTests {
    private static func error(_ number: Int) -> DatabaseError {
        .statement(
            code: "parameter",
            message: "$\(number) has a value, but no place, or one in quotes or in a comment: write "
                + #"name = \(value) or name LIKE \(containing: value), without quotes."#)
    }

    @Test(
        arguments: [
            ("INSERT INTO users (name) VALUES ('\("x")')", 1),
            ("UPDATE users SET name = '\("x")' WHERE id = \(1)", 1),
            ("DELETE FROM users WHERE id = \(1) AND name <> '%\("x")%'", 2),
            ("DELETE FROM users WHERE id = \(1) -- AND name = \("x")", 2),
        ] as [(SQL, Int)])
    func `a value in quotes or in a comment is an error, and nothing changes`(sql: SQL, number: Int) async throws {
        try await Scratch.run { (database, _) async throws in
            await #expect(throws: Self.error(number)) { try await database.execute(sql) }
            let names = try await database.query("SELECT name FROM users ORDER BY id", as: String.self)
            #expect(names == ["Nelson", "Cathy"])
        }
    }

    @Test func `so is one in a query or a stream, and one too many`() async throws {
        try await Scratch.run { (database, _) async throws in
            let quoted: SQL = "SELECT name FROM users WHERE name LIKE '%\("Nel")%'"
            await #expect(throws: Self.error(1)) { try await database.query(quoted, as: String.self) }
            await #expect(throws: Self.error(1)) {
                _ = try await database.stream(quoted, as: String.self).makeAsyncIterator().next()
            }
            let many = SQL(unchecked: "SELECT name FROM users WHERE id = $1", bindings: [.integer(1), .integer(2)])
            await #expect(throws: Self.error(2)) { try await database.first(many, as: String.self) }
        }
    }

    @Test func `a place may stand twice, and places in any order`() async throws {
        try await Scratch.run { (database, _) async throws in
            let twice = SQL(unchecked: "SELECT $2 || $1 || $2 || $1", bindings: [.text("a"), .text("b")])
            #expect(try await database.first(twice, as: String.self) == "baba")
            let sql: SQL = "SELECT name FROM users WHERE name LIKE \(containing: "Nel") AND '$1' <> ''"
            #expect(try await database.query(sql, as: String.self) == ["Nelson"])
        }
    }
}
