import RoostSQL
import RoostSQLite
import Testing

@Suite("Migrations", .timeLimit(.minutes(5)))
struct MigratorTests {
    private static let first = Migration("pets", sql: Array("CREATE TABLE pets (id INT);\n-- done; \n".utf8))
    private static let second = Migration(
        "names",
        sql: Array("ALTER TABLE pets ADD name TEXT; INSERT INTO pets VALUES (1, 'a;b'); /* ; */".utf8)
    )

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
            #expect(try await database.first("SELECT count(*) FROM parents", as: Int.self) == 2)
            await #expect(throws: DatabaseError.self) {
                try await database.execute("INSERT INTO children (parent) VALUES (7)")
            }
        }
    }

    @Test func `one that can be in no transaction says so`() async throws {
        try await Scratch.run { (database, _) async throws in
            let compacting = Migration("compacting", sql: "VACUUM", inTransaction: false)
            #expect(
                try await Self.migrator(database, Self.first, compacting).run().map(\.name) == ["pets", "compacting"])
            #expect(try await Self.migrator(database, Self.first, compacting).run().isEmpty)
            let wrong = Migration("wrong", sql: "VACUUM; VACUUM", inTransaction: false)
            let error = await #expect(throws: MigrationError.self) {
                try await Self.migrator(database, Self.first, compacting, wrong).run()
            }
            let sentence = "Migration wrong failed, and may have changed something: "
            #expect(error?.description.hasPrefix(sentence) == true)
        }
    }

    @Test func `each is applied once, in order`() async throws {
        try await Scratch.run { (database, _) async throws in
            let migrator = Self.migrator(database, Self.first, Self.second)
            #expect(try await migrator.status().map(\.appliedAt) == [nil, nil])
            #expect(try await migrator.run().map(\.name) == ["pets", "names"])
            #expect(try await migrator.run().isEmpty)
            #expect(try await database.first("SELECT name FROM pets", as: String.self) == "a;b")
            #expect(try await migrator.status().allSatisfy { $0.appliedAt != nil })
        }
    }

    @Test func `many that start at once apply each once`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            let others = (0..<3).map { _ in scratch.database() }
            for other in others { try await other.start() }
            let applied = try await withThrowingTaskGroup { group in
                for database in others + [database] {
                    group.addTask { try await Self.migrator(database, Self.first, Self.second).run().count }
                }
                return try await group.reduce(0, +)
            }
            #expect(applied == 2)
            for other in others { await other.stop() }
        }
    }

    @Test func `one that fails changes nothing, and those before it stay`() async throws {
        try await Scratch.run { (database, _) async throws in
            let wrong = Migration("wrong", sql: Array("CREATE TABLE toys (id INT); NONSENSE;".utf8))
            let error = await #expect(throws: MigrationError.self) {
                try await Self.migrator(database, Self.first, wrong).run()
            }
            #expect(error?.description.contains("Migration wrong failed, and has changed nothing") == true)
            await #expect(throws: DatabaseError.self) { try await database.execute("DELETE FROM toys") }
            #expect(try await Self.migrator(database, Self.first, Self.second).run().map(\.name) == ["names"])
        }
    }

    @Test(arguments: ["COMMIT;", "CREATE TABLE x (y); BEGIN; "])
    func `one that ends its transaction is an error`(text: String) async throws {
        try await Scratch.run { (database, _) async throws in
            let wrong = Migration("wrong", sql: Array(text.utf8))
            await #expect(throws: MigrationError.self) { try await Self.migrator(database, wrong).run() }
        }
    }

    @Test func `a mismatch with the database is a sentence`() async throws {
        try await Scratch.run { (database, _) async throws in
            _ = try await Self.migrator(database, Self.first, Self.second).run()
            let changed = Migration("pets", sql: Array("CREATE TABLE pets (id TEXT)".utf8))
            for (migrator, sentence) in [
                (Self.migrator(database, changed, Self.second), "Migration pets has been changed since"),
                (Self.migrator(database, Self.first), "The database has the migration names, which this program"),
                (Self.migrator(database, Self.first, Self.second, changed), "Two migrations have the name pets"),
            ] {
                let error = await #expect(throws: MigrationError.self) { try await migrator.run() }
                #expect(error?.description.hasPrefix(sentence) == true, "\(String(describing: error))")
                await #expect(throws: MigrationError.self) { try await migrator.status() }
            }
        }
    }

    @Test func `one that a module adds between others is applied, too`() async throws {
        try await Scratch.run { (database, _) async throws in
            let third = Migration("toys", sql: "CREATE TABLE toys (id INT)")
            _ = try await Self.migrator(database, Self.first, third).run()
            let migrator = Self.migrator(database, Self.first, Self.second, third)
            #expect(try await migrator.status().map { $0.appliedAt == nil } == [false, true, false])
            #expect(try await migrator.run().map(\.name) == ["names"])
            #expect(try await migrator.run().isEmpty)
        }
    }

    @Test func `those that had numbers are recognised by their names`() async throws {
        try await Scratch.run { (database, _) async throws in
            _ = try await Self.migrator(database, Self.first, Self.second).run()
            // As a program of numbered migrations left it, whose numbers were in another order.
            try await database.execute("UPDATE schema_migrations SET version = 13 - version")
            let third = Migration("toys", sql: "CREATE TABLE toys (id INT)")
            let migrator = Self.migrator(database, Self.first, third, Self.second)
            #expect(try await migrator.run().map(\.name) == ["toys"])
            #expect(try await migrator.status().allSatisfy { $0.appliedAt != nil })
        }
    }
}
