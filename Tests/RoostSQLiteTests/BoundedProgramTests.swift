import Roost
import RoostSQL
import Testing

@testable import RoostSQLite

/// Which statements an event loop may run: those whose program takes bounded time.
@Suite("Programs of SQLite on a loop", .timeLimit(.minutes(5)))
struct BoundedProgramTests {
    private static func run(_ body: @escaping @Sendable (Database) async throws -> Void) async throws {
        try await Scratch.run { (database, _) async throws in
            try await database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, user INTEGER, body, at INTEGER)")
            try await database.execute("CREATE INDEX notes_user ON notes (user, at)")
            try await database.execute(
                "INSERT INTO notes VALUES (1, 1, '[1,2]', 5), (2, 2, x'00ff', 4), (3, 2, '{}', 3)")
            try await database.execute("CREATE VIRTUAL TABLE words USING fts5(body)")
            try await database.execute("INSERT INTO words VALUES ('a rooster')")
            try await PlacedRow.onLoop {
                try await PlacedRow.warm(database)
                try await body(database)
            }
        }
    }

    @Test(arguments: [
        "SELECT id FROM users WHERE id = 1", "SELECT 1 AS id", "SELECT id FROM users ORDER BY id LIMIT 50",
        "SELECT id FROM users WHERE name >= 'C' AND name < 'D' ORDER BY name, id LIMIT 51",
        "SELECT id FROM users WHERE id IN (1, 2, 3)", "SELECT max(id) AS id FROM users",
        "SELECT n.id FROM users u JOIN notes n ON n.user = u.id WHERE u.name = 'Cathy' ORDER BY n.at DESC",
        "SELECT u.id FROM users u LEFT JOIN notes n ON n.user = u.id AND n.at > 9 ORDER BY u.id",
        "SELECT count(at) AS id FROM notes WHERE user = 2", "SELECT DISTINCT user AS id FROM notes LIMIT 2",
        "SELECT EXISTS (SELECT 1 FROM notes WHERE user = 2) AS id",
        "SELECT coalesce(max(at), 0) + 1 AS id FROM notes WHERE user = 7",
        """
        SELECT id, name FROM users WHERE name = 'Cathy' AND id > 0
            UNION ALL SELECT id, name FROM users WHERE name > 'Cathy' AND name < 'Z' ORDER BY name, id LIMIT 51
        """,
    ])
    func `what seeks, steps and compares runs in place`(text: String) async throws {
        try await Self.run { database in
            try await PlacedRow.warm(database, SQL(unchecked: text))
        }
    }

    @Test(arguments: [
        "SELECT count(*) AS id FROM notes", "SELECT length(hex(body)) AS id FROM notes WHERE id = 2",
        "SELECT id FROM notes ORDER BY body", "SELECT id FROM notes ORDER BY body LIMIT 1",
        "SELECT rowid AS id FROM words WHERE words MATCH 'rooster'", "SELECT value AS id FROM json_each('[1]')",
        "SELECT json_array_length(body) AS id FROM notes WHERE id = 1",
        "SELECT id FROM users WHERE name LIKE '%a%b%c%' OR id = 1", "SELECT length(zeroblob(1e8)) AS id",
        "SELECT count(*) AS id FROM pragma_integrity_check", "SELECT id FROM users GROUP BY lower(name)",
        "SELECT length(group_concat(body)) AS id FROM notes",
    ])
    func `what counts, sorts, calls functions or reads virtual tables runs elsewhere`(text: String) async throws {
        try await Self.run { database in
            for _ in 0..<2 {
                let row = try await database.first(SQL(unchecked: text), as: PlacedRow.self)
                #expect(row?.isOnLoop == false)
            }
        }
    }

    @Test func `a statement that needs another program after a change of the schema is looked at again`() async throws {
        try await Self.run { database in
            let sql: SQL = "SELECT id FROM notes WHERE user = 2 ORDER BY at LIMIT 1"
            try await PlacedRow.warm(database, sql)
            try await database.execute("DROP INDEX notes_user")
            for _ in 0..<3 {
                let row = try await database.first(sql, as: PlacedRow.self)
                #expect(row?.id == 3 && row?.isOnLoop == false)
            }
            try await database.execute("CREATE INDEX notes_user ON notes (user, at)")
            try await PlacedRow.warm(database, sql)
        }
    }

    @Test func `a value that is long, or that lies behind a long one, is read elsewhere`() async throws {
        try await Self.run { database in
            try await database.execute(
                "INSERT INTO notes VALUES (4, 9, zeroblob(20000), 1), (5, 9, zeroblob(4000000), 2)")
            for id in [4, 5] {
                let long = try await database.first(
                    "SELECT id FROM notes WHERE id = \(id) AND body <> 'x'", as: PlacedRow.self)
                #expect(long?.id == id && long?.isOnLoop == false)
            }
            let behind = try await database.first(
                "SELECT id FROM notes WHERE id = \(5) AND at < 9", as: PlacedRow.self)
            #expect(behind?.id == 5 && behind?.isOnLoop == false)
            #expect(try await database.first("SELECT id FROM users WHERE id = 2", as: PlacedRow.self)?.isOnLoop == true)
        }
    }

    @Test func `a statement of many words is prepared elsewhere`() async throws {
        try await Self.run { database in
            let ids = (1...2000).map { $0 }
            let row = try await database.first("SELECT id FROM users WHERE id IN \(list: ids)", as: PlacedRow.self)
            #expect(row?.id == 1 && row?.isOnLoop == false)
        }
    }
}
