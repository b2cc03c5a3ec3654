import Glibc
import RoostSQL
import RoostSQLite
import Testing

@Suite("SQLite", .timeLimit(.minutes(5)))
struct SQLiteTests {
    @Test func `rows are written and read, with values of every type`() async throws {
        try await Scratch.run { (database, _) async throws in
            #expect(
                try await database.query("SELECT id, name FROM users ORDER BY id", as: User.self)
                    == [User(id: 1, name: "Nelson"), User(id: 2, name: "Cathy")]
            )
            struct Values: Codable, Equatable, Sendable {
                var whole: Int64, real: Double, text: String, bytes: [UInt8], none: Int?, truth: Bool
            }
            let text = "é\u{0}'\"; DROP TABLE users; --"
            let bytes: [UInt8] = [0, 255]
            let values = try await database.first(
                """
                SELECT \(Int64.min) AS whole, \(1.5) AS real, \(text) AS text, \(bytes) AS bytes, \(Int?.none) AS none,
                    \(true) AS truth
                """,
                as: Values.self
            )
            #expect(values == Values(whole: .min, real: 1.5, text: text, bytes: bytes, none: nil, truth: true))
            #expect(try await database.first("SELECT \("")", as: String.self)?.isEmpty == true)
            #expect(try await database.first("SELECT \([UInt8]())", as: [UInt8].self)?.isEmpty == true)
            #expect(try await database.first("SELECT id FROM users WHERE id = 9", as: Int.self) == nil)
        }
    }

    @Test func `placeholders are numbered, whatever their order`() async throws {
        try await Scratch.run { (database, _) async throws in
            let sql = SQL(unchecked: "SELECT $2 || $1 || $2", bindings: [.text("a"), .text("b")])
            #expect(try await database.first(sql, as: String.self) == "bab")
            let missing = SQL(unchecked: "SELECT $3", bindings: [.null])
            await #expect(throws: DatabaseError.statement(code: "parameter", message: "$3 has no value.")) {
                try await database.first(missing, as: Int?.self)
            }
            await #expect(throws: DatabaseError.self) { try await database.execute(SQL(unchecked: "SELECT ?")) }
        }
    }

    @Test func `changes are counted`() async throws {
        try await Scratch.run { (database, _) async throws in
            #expect(try await database.execute("UPDATE users SET name = name || '!'") == 2)
            #expect(try await database.execute("CREATE TABLE x (y)") == 0)
            #expect(try await database.execute("DELETE FROM users WHERE id = 7") == 0)
            let id = try await database.first("INSERT INTO users (name) VALUES (\("Ada")) RETURNING id", as: Int.self)
            #expect(id == 3)
            let sql: SQL =
                "WITH new (name) AS (VALUES ('Bo')) INSERT INTO users (name) SELECT name FROM new RETURNING id"
            #expect(try await database.query(sql, as: Int.self) == [4])
            #expect(try await database.query("SELECT name FROM users WHERE id > 2", as: String.self) == ["Ada", "Bo"])
        }
    }

    @Test func `a violated constraint is named`() async throws {
        try await Scratch.run { (database, _) async throws in
            try await database.execute(
                "CREATE TABLE pets (id INTEGER PRIMARY KEY, owner INT REFERENCES users, CONSTRAINT old CHECK (id < 9))"
            )
            for (sql, error) in [
                ("INSERT INTO users (name) VALUES ('Cathy')", DatabaseError.uniqueViolation("users.name")),
                ("INSERT INTO users VALUES (1, 'x')", .uniqueViolation("users.id")),
                ("INSERT INTO users (name) VALUES (NULL)", .notNullViolation("users.name")),
                ("INSERT INTO pets VALUES (9, NULL)", .checkViolation("old")),
                ("INSERT INTO pets VALUES (1, 7)", .foreignKeyViolation("FOREIGN KEY constraint failed")),
                ("SELEC", .statement(code: "SQLite 1", message: "near \"SELEC\": syntax error")),
                ("SELECT * FROM absent", .statement(code: "SQLite 1", message: "no such table: absent")),
                ("SELECT \"x\"", .statement(code: "SQLite 1", message: "no such column: x")),
                ("SELECT 1; SELECT 2", .statement(code: "tail", message: "There is more than one statement.")),
                ("SELECT 1\u{0}; SELECT 2", .statement(code: "tail", message: "There is more than one statement.")),
                ("-- nothing", .statement(code: "empty", message: "The statement is empty.")),
            ] {
                await #expect(throws: error) { try await database.execute(SQL(unchecked: sql)) }
                await #expect(throws: error) { try await database.query(SQL(unchecked: sql), as: Int.self) }
            }
            #expect(try await database.first("SELECT count(*) FROM users", as: Int.self) == 2)
        }
    }

    @Test(arguments: [
        "BEGIN", " /* x */ commit", "-- x\nROLLBACK", "SAVEPOINT x", "RELEASE x", "END", "ATTACH 'x' AS y", ";;BEGIN",
        "\u{FEFF}BEGIN", "/**/\u{FEFF} BEGIN",
    ])
    func `transactions cannot be begun by hand`(sql: String) async throws {
        try await Scratch.run { (database, _) async throws in
            await #expect(throws: DatabaseError.self) { try await database.execute(SQL(unchecked: sql)) }
            await #expect(throws: DatabaseError.self) { try await database.query(SQL(unchecked: sql), as: Int.self) }
            #expect(try await database.execute("DELETE FROM users") == 2)
        }
    }

    @Test(arguments: [":memory:", nil])
    func `a statement whose row cannot be decoded is undone, wherever it runs`(path: String?) async throws {
        try await Scratch.run({ $0.path = path ?? $0.path }) { (database, _) async throws in
            for sql in [
                "INSERT INTO users (name) VALUES ('x') RETURNING name",
                "WITH new (name) AS (VALUES ('x')) INSERT INTO users (name) SELECT name FROM new RETURNING name",
            ] as [SQL] {
                await #expect(throws: DatabaseError.self, "\(sql)") { try await database.first(sql, as: Int.self) }
                #expect(try await database.first("SELECT count(*) FROM users", as: Int.self) == 2, "\(sql)")
                #expect(try await database.first(sql, as: String.self) == "x")
                try await database.execute("DELETE FROM users WHERE name = 'x'")
            }
        }
    }

    @Test func `a name that a client chose cannot leave its quotes`() async throws {
        try await Scratch.run { (database, _) async throws in
            try await database.execute("CREATE TABLE sessions (token TEXT)")
            try await database.execute("INSERT INTO sessions VALUES ('secret')")
            for mark in ["\u{301}", "\u{200D}", "\u{FE0F}", ""] {
                let column = "id\"\(mark), (SELECT token FROM sessions) FROM users --"
                await #expect(throws: DatabaseError.self) {
                    try await database.query("SELECT \(identifier: column) FROM users", as: User.self)
                }
                try await database.execute("CREATE TABLE \(identifier: column) (id)")
                #expect(try await database.first("SELECT count(*) FROM \(identifier: column)", as: Int.self) == 0)
            }
            let column = "x\u{600}\", token"
            await #expect(throws: DatabaseError.self) {
                try await database.query("SELECT \(identifier: column) FROM sessions", as: String.self)
            }
        }
    }

    @Test func `statements that differ only in how a letter is composed are different`() async throws {
        try await Scratch.run({ $0.readers = 1 }) { (database, _) async throws in
            for letter in ["\u{E9}", "e\u{301}", "K", "\u{212A}"] {
                let sql = SQL(unchecked: "SELECT '\(letter)'")
                let found = try await database.first(sql, as: String.self)
                #expect(found.map { Array($0.utf8) } == Array(letter.utf8))
            }
        }
    }

    @Test func `a table that changes is read with its new columns`() async throws {
        try await Scratch.run { (database, _) async throws in
            #expect(try await database.first("SELECT * FROM users WHERE id = 1", as: User.self)?.name == "Nelson")
            try await database.execute("ALTER TABLE users RENAME COLUMN name TO title")
            struct Titled: Codable, Sendable { let title: String }
            #expect(try await database.first("SELECT * FROM users WHERE id = 1", as: Titled.self)?.title == "Nelson")
        }
    }

    @Test func `the file is in WAL mode, synchronous, with foreign keys, and one file after closing`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            #expect(try await database.first("PRAGMA journal_mode", as: String.self) == "wal")
            #expect(try await database.first("PRAGMA synchronous", as: Int.self) == 2)
            #expect(try await database.first("PRAGMA foreign_keys", as: Int.self) == 1)
            #expect(try await database.first("PRAGMA trusted_schema", as: Int.self) == 0)
            #expect(access(scratch.path + "-wal", F_OK) == 0)
            var status = stat()
            stat(scratch.path, &status)
            #expect(status.st_mode & 0o777 == 0o600)
            await database.stop()
            #expect(access(scratch.path + "-wal", F_OK) != 0)
            await #expect(throws: DatabaseError.self) { try await database.ping() }
            try await database.start()
            #expect(try await database.first("SELECT count(*) FROM users", as: Int.self) == 2)
        }
        try await Scratch.run({ $0.durability = .normal }) { (database, _) async throws in
            #expect(try await database.first("PRAGMA synchronous", as: Int.self) == 1)
        }
    }

    @Test func `a database in memory works as well`() async throws {
        var configuration = SQLiteConfiguration(path: ":memory:")
        configuration.transactionTimeout = .seconds(3600)
        let database = Database(SQLiteDriver(configuration))
        try await database.start()
        try await database.execute("CREATE TABLE n (n INTEGER)")
        try await database.transaction { transaction in
            for number in 0..<600 { try await transaction.execute("INSERT INTO n VALUES (\(number))") }
        }
        var sum = 0
        for try await number in database.stream("SELECT n FROM n", as: Int.self) { sum += number }
        #expect(sum == 600 * 599 / 2)
        await database.stop()
    }

    @Test func `many tasks at once each get their own result`() async throws {
        try await Scratch.run { (database, _) async throws in
            let sum = try await withThrowingTaskGroup { group in
                for number in 0..<500 {
                    group.addTask {
                        if number.isMultiple(of: 5) {
                            try await database.execute("INSERT INTO users (name) VALUES (\("n\(number)"))")
                        }
                        return try await database.first("SELECT \(number)", as: Int.self) ?? 0
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(sum == 500 * 499 / 2)
            #expect(try await database.first("SELECT count(*) FROM users", as: Int.self) == 102)
        }
    }
}
