import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@Suite("Migrations of SQLite", .timeLimit(.minutes(5)))
struct MigratorTests {
    private static let first = Migration("pets", sql: Array("CREATE TABLE pets (id INT);\n-- done; \n".utf8))
    private static func migrator(_ database: Database, _ list: Migration...) -> Migrator { Migrator(database, list) }

    private static let family = [
        Migration(
            "family",
            sql: """
                CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT);
                CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents ON DELETE CASCADE);
                INSERT INTO parents VALUES (1, 'Ann'), (2, 'Bob');
                INSERT INTO children (parent) VALUES (1), (1), (2)
                """)
    ]

    @Test func `one with a NUL, after which SQLite would read nothing, is refused`() async throws {
        try await Scratch.run { (database, _) async throws in
            let broken = Migration("broken", sql: "CREATE TABLE a (id INT);\u{0} CREATE TABLE b (id INT)")
            await #expect(throws: (any Error).self) { try await Self.migrator(database, broken).run() }
            let names = try await database.query(
                "SELECT name FROM sqlite_master WHERE name IN ('a', 'b')", as: String.self)
            #expect(names.isEmpty)
        }
    }

    @Test func `one that rebuilds a table keeps the rows that refer to it`() async throws {
        try await Scratch.run { (database, _) async throws in
            let rebuilding = Migration(
                "rebuilding",
                sql: """
                    CREATE TABLE new_parents (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                    INSERT INTO new_parents SELECT * FROM parents;
                    DROP TABLE parents;
                    ALTER TABLE new_parents RENAME TO parents
                    """)
            try await Migrator(database, Self.family + [rebuilding]).run()
            #expect(try await database.first("SELECT count(*) FROM children", as: Int.self) == 3)
            // Foreign keys are in force again.
            await #expect(throws: DatabaseError.self) {
                try await database.execute("INSERT INTO children (parent) VALUES (7)")
            }
            try await database.execute("DELETE FROM parents WHERE id = 1")
            #expect(try await database.first("SELECT count(*) FROM children", as: Int.self) == 1)
        }
    }

    @Test func `one that leaves a row without the one that it refers to has changed nothing`() async throws {
        try await Scratch.run { (database, _) async throws in
            let orphaning = Migration("orphaning", sql: "DELETE FROM parents WHERE id = 1")
            let error = await #expect(throws: MigrationError.self) {
                try await Migrator(database, Self.family + [orphaning]).run()
            }
            let text = error?.description ?? ""
            #expect(text.hasPrefix("Migration orphaning failed, and has changed nothing: "), "\(text)")
            #expect(text.contains("row 1 of children refers to a row of parents that does not exist"), "\(text)")
            #expect(!text.contains("before the migration"), "\(text)")
            #expect(try await database.first("SELECT count(*) FROM parents", as: Int.self) == 2)
            await #expect(throws: DatabaseError.self) {
                try await database.execute("INSERT INTO children (parent) VALUES (7)")
            }
        }
    }

    @Test func `a row that refers to nothing stops no start without migrations, and is blamed on none`() async throws {
        try await Scratch.run { (database, _) async throws in
            try await Migrator(database, Self.family).run()
            try await database.execute("PRAGMA foreign_keys = OFF")
            try await database.execute("INSERT INTO children (parent) VALUES (7)")
            try await database.execute("PRAGMA foreign_keys = ON")
            #expect(try await Migrator(database, Self.family).run().isEmpty)
            let dating = Migration("dating", sql: "ALTER TABLE parents ADD born INT")
            let error = await #expect(throws: MigrationError.self) {
                try await Migrator(database, Self.family + [dating]).run()
            }
            let text = error?.description ?? ""
            #expect(text.hasPrefix("Migration dating failed, and has changed nothing: "), "\(text)")
            #expect(text.contains("row 4 of children refers to a row of parents that does not exist"), "\(text)")
            #expect(text.contains("Such rows were there before the migration"), "\(text)")
            let correcting = Migration("correcting", sql: "DELETE FROM children WHERE parent = 7")
            let applied = try await Migrator(database, Self.family + [correcting, dating]).run()
            #expect(applied.map(\.name) == ["correcting", "dating"])
        }
    }

    @Test func `what a script leaves on its connection ends with it`() async throws {
        try await Scratch.run { (database, _) async throws in
            let list = [
                Migration("pets", sql: "CREATE TABLE pets (age INT CHECK (age > 0)); CREATE TEMP TABLE old (n INT)"),
                Migration("lax", sql: "PRAGMA ignore_check_constraints = 1; INSERT INTO pets VALUES (0)"),
                Migration("other", sql: "CREATE TEMPORARY TABLE old (n INT)"),
            ]
            #expect(try await Migrator(database, list).run().count == 3)
            await #expect(throws: DatabaseError.self) { try await database.execute("INSERT INTO pets VALUES (-1)") }
            await #expect(throws: DatabaseError.self) { try await database.execute("DELETE FROM old") }
            #expect(try await database.query("SELECT age FROM pets", as: Int.self) == [0])
        }
    }

    @Test func `in memory, where the connection stays, temporary tables end with their script, too`() async throws {
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))
        try await database.start()
        let text = """
            CREATE TEMP TABLE "an ""old"" one" (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE);
            CREATE TEMP VIEW names AS SELECT name FROM "an ""old"" one";
            CREATE TEMP TRIGGER note AFTER INSERT ON pets BEGIN INSERT INTO "an ""old"" one" (name) VALUES ('x'); END;
            INSERT INTO pets VALUES (1)
            """
        let list = [Self.first, Migration("one", sql: text), Migration("other", sql: text)]
        #expect(try await Migrator(database, list).run().count == 3)
        let left: SQL = "SELECT name FROM temp.sqlite_schema WHERE name NOT LIKE 'sqlite%'"
        #expect(try await database.query(left, as: String.self) == [])
        #expect(try await database.query("SELECT id FROM pets", as: Int.self) == [1, 1])
        await database.stop()
    }

    /// The last connection that closes the file would write the log into it, and remove it.
    @Test func `the file is in use while the connection of a script gives way to the next one`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            for number in 0..<20 { try await database.execute("INSERT INTO users (name) VALUES (\("\(number)"))") }
            let size = scratch.logSize
            #expect(try await Self.migrator(database, Self.first).run().count == 1)
            try await database.execute("INSERT INTO pets VALUES (1)")
            #expect(scratch.logSize > size)
        }
    }

    @Test func `one that finds the file locked waits, for longer than a statement would`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            let other = scratch.database { $0.busyTimeout = .zero }
            try await other.start()
            let (lines, hasEnded) = (LogLines(), Latch())
            var late: Task<Int, any Error>?
            try await database.whileWriterIsHeld {
                late = Task {
                    defer { hasEnded.open() }
                    return try await Migrator(other, [Self.first], logger: lines.logger).run().count
                }
                while !hasEnded.isOpen, !lines.all.contains(where: { $0.contains("waits for it") }) {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
            #expect(try await late?.value == 1)
            #expect(lines.allWithLevels.contains { $0.hasPrefix("warning Another program ") })
            await other.stop()
        }
    }

    @Test func `a start waits for the lock while one is missing, and needs none when all have been applied`()
        async throws
    {
        try await Scratch.run { (database, scratch) async throws in
            let other = scratch.database { $0.busyTimeout = .zero }
            try await other.start()
            let (lines, hasEnded) = (LogLines(), Latch())
            let migrator = Migrator(other, [Self.first], logger: lines.logger)
            var late: Task<Void, any Error>?
            try await database.whileWriterIsHeld {
                late = Task {
                    defer { hasEnded.open() }
                    try await migrator.start()
                }
                while !hasEnded.isOpen, lines.all.isEmpty {
                    try Task.checkCancellation()
                    await Task.yield()
                }
                #expect(!hasEnded.isOpen)
            }
            try await late?.value
            #expect(lines.all.last == "Migration pets has been applied.")
            try await database.whileWriterIsHeld { try await migrator.start() }
            #expect(lines.all.count == 2)
            await other.stop()
        }
    }

    @Test func `one that can be in no transaction says so`() async throws {
        try await Scratch.run { (database, _) async throws in
            let compacting = Migration("compacting", sql: "VACUUM", inTransaction: false)
            #expect(
                try await Self.migrator(database, Self.first, compacting).run().map(\.name) == ["pets", "compacting"])
            #expect(try await Self.migrator(database, Self.first, compacting).run().isEmpty)
            let again = Migration("again", sql: "VACUUM; -- shrinks it\n", inTransaction: false)
            #expect(try await Self.migrator(database, Self.first, compacting, again).run().map(\.name) == ["again"])
            let wrong = Migration("wrong", sql: "VACUUM; VACUUM", inTransaction: false)
            let error = await #expect(throws: MigrationError.self) {
                try await Self.migrator(database, Self.first, compacting, again, wrong).run()
            }
            let sentence = "Migration wrong failed, and may have changed something: "
            #expect(error?.description.hasPrefix(sentence) == true)
        }
    }
}
