import Engines
import FoundationEssentials
import RoostSQL
import RoostTesting
import Testing

@testable import Roost

@Suite("Migrations", .timeLimit(.minutes(5)))
struct MigratorTests {
    private static let first = Migration("pets", sql: Array("CREATE TABLE pets (id INT);\n-- done; \n".utf8))
    private static let second = Migration(
        "names",
        sql: Array("ALTER TABLE pets ADD name TEXT; INSERT INTO pets VALUES (1, 'a;b'); /* ; */".utf8)
    )

    private static func migrator(_ database: Database, _ list: Migration...) -> Migrator { Migrator(database, list) }

    @Test(arguments: Engine.allCases)
    func `each is applied once, in order`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            let migrator = Self.migrator(database, Self.first, Self.second)
            #expect(try await migrator.status().map(\.appliedAt) == [nil, nil])
            #expect(try await migrator.run().map(\.name) == ["pets", "names"])
            #expect(try await migrator.run().isEmpty)
            #expect(try await database.first("SELECT name FROM pets", as: String.self) == "a;b")
            #expect(try await migrator.status().allSatisfy { $0.appliedAt != nil })
        }
    }

    @Test(arguments: Engine.allCases)
    func `there may be more of them than a query may return rows`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let limited = Database(databases[0].driver, configuration: DatabaseConfiguration(maximumRows: 1))
            let migrator = Self.migrator(limited, Self.first, Self.second)
            #expect(try await migrator.run().count == 2)
            #expect(try await migrator.missing().isEmpty)
        }
    }

    @Test(arguments: Engine.allCases)
    func `one text makes the same table in each engine`(engine: Engine) async throws {
        let eggs = Migration(
            "eggs",
            sql: """
                CREATE TABLE eggs (
                    id ${identity}, color ${text}, laid_at ${instant} NOT NULL, shell ${bytes} /* $1 ${A} $ */)
                """)
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await Self.migrator(database, eggs).run()
            let time = Date(timeIntervalSince1970: 1_780_000_000)
            let shell: [UInt8] = [0, 255]
            for id in 1...2 {
                let sql: SQL = "INSERT INTO eggs (laid_at, shell) VALUES (\(time), \(shell))"
                #expect(try await database.insert(sql) == id)
            }
            #expect(try await database.first("SELECT laid_at FROM eggs", as: Date.self) == time)
            #expect(try await database.first("SELECT shell FROM eggs", as: [UInt8].self) == shell)
            try await database.execute("UPDATE eggs SET color = CASE id WHEN 1 THEN 'a' ELSE 'B' END")
            #expect(try await database.query("SELECT color FROM eggs ORDER BY color", as: String.self) == ["B", "a"])
            try await database.execute("DELETE FROM eggs WHERE id = 2")
            #expect(try await database.insert("INSERT INTO eggs (laid_at) VALUES (\(time))") == 3)
            #expect(try await Self.migrator(database, eggs).run().isEmpty)
        }
        #expect(eggs.text(for: .sqlite).hasSuffix("shell BLOB /* $1 ${A} $ */)"))
    }

    @Test(arguments: Engine.allCases)
    func `a placeholder that does not exist is refused before anything runs`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let eggs = Migration("eggs", sql: "CREATE TABLE eggs (id ${id})")
            let migrator = Self.migrator(databases[0], Self.first, eggs)
            let error = await #expect(throws: MigrationError.self) { try await migrator.run() }
            let text = "The migration eggs has ${id}, which is none of ${identity}, ${instant}, ${text}, ${bytes}."
            #expect(error?.description == text)
            #expect(try await Self.migrator(databases[0], Self.first).status().map(\.appliedAt) == [nil])
        }
    }

    @Test(arguments: Engine.allCases)
    func `many that start at once apply each once`(engine: Engine) async throws {
        try await engine.run(instances: 4) { (databases) async throws in
            let applied = try await withThrowingTaskGroup { group in
                for database in databases {
                    group.addTask { try await Self.migrator(database, Self.first, Self.second).run().count }
                }
                return try await group.reduce(0, +)
            }
            #expect(applied == 2)
        }
    }

    @Test(arguments: Engine.allCases)
    func `one that fails changes nothing, and those before it stay`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            let wrong = Migration("wrong", sql: Array("CREATE TABLE toys (id INT); NONSENSE; SELECT 1".utf8))
            let error = await #expect(throws: MigrationError.self) {
                try await Self.migrator(database, Self.first, wrong).run()
            }
            #expect(error?.description.contains("Migration wrong failed, and has changed nothing") == true)
            await #expect(throws: DatabaseError.self) { try await database.execute("DELETE FROM toys") }
            #expect(try await Self.migrator(database, Self.first, Self.second).run().map(\.name) == ["names"])
        }
    }

    @Test(arguments: Engine.allCases, ["COMMIT;", "CREATE TABLE x (y INT); COMMIT; "])
    func `one that ends its transaction is an error`(engine: Engine, text: String) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            let wrong = Migration("wrong", sql: Array(text.utf8))
            await #expect(throws: MigrationError.self) { try await Self.migrator(database, wrong).run() }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a mismatch with the database is a sentence`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
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

    @Test(arguments: Engine.allCases)
    func `an instance stays ready while a newer version has applied more, and not while one of its own is missing`(
        engine: Engine
    ) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            let check = { (list: [Migration]) async throws in
                try await Migrator(database, list).healthChecks[0].body()
            }
            await #expect(throws: HealthFailure.self) { try await check([Self.first]) }
            _ = try await Self.migrator(database, Self.first, Self.second).run()
            try await check([Self.first])
            let third = Migration("toys", sql: "CREATE TABLE toys (id INT)")
            let failure = await #expect(throws: HealthFailure.self) {
                try await check([Self.first, Self.second, third])
            }
            #expect(failure.map { "\($0)" } == "The database lacks migrations: toys.")
        }
    }

    @Test(arguments: Engine.allCases)
    func `an older version starts, unless one of its own is missing or has been changed`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            _ = try await Self.migrator(database, Self.first, Self.second).run()
            let lines = LogLines()
            try await Migrator(database, [Self.first], logger: lines.logger).start()
            let sentence = "warning The database has the migration names, which this program does not know: "
            #expect(lines.all.count == 1 && lines.allWithLevels.first?.hasPrefix(sentence) == true, "\(lines.all)")
            let third = Migration("toys", sql: "CREATE TABLE toys (id INT)")
            let changed = Migration("names", sql: "ALTER TABLE pets ADD nickname TEXT")
            for list in [[Self.first, third], [changed]] {
                await #expect(throws: MigrationError.self) {
                    try await Migrator(database, list, logger: lines.logger).start()
                }
            }
            #expect(lines.all.count == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `one that a module adds between others is applied, too`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            let third = Migration("toys", sql: "CREATE TABLE toys (id INT)")
            _ = try await Self.migrator(database, Self.first, third).run()
            let migrator = Self.migrator(database, Self.first, Self.second, third)
            #expect(try await migrator.status().map { $0.appliedAt == nil } == [false, true, false])
            #expect(try await migrator.run().map(\.name) == ["names"])
            #expect(try await migrator.run().isEmpty)
        }
    }

    @Test(arguments: Engine.allCases)
    func `one that can be in no transaction, or is not alone outside one, says how to write it`(engine: Engine)
        async throws
    {
        try await engine.run { (databases) async throws in
            let (inside, two) = (
                Migration("inside", sql: "VACUUM"), Migration("two", sql: "VACUUM; VACUUM", inTransaction: false)
            )
            for (migration, advice) in [
                (inside, "a migration of its own, with inTransaction: false."), (two, "is one statement alone."),
            ] {
                let error = await #expect(throws: MigrationError.self) {
                    try await Self.migrator(databases[0], migration).run()
                }
                let text = error?.description ?? ""
                #expect(text.hasSuffix(advice), "\(text)")
            }
        }
    }

    /// As Rails, Ecto, golang-migrate and dbmate make it.
    @Test(arguments: Engine.allCases)
    func `a table of another program's migrations is named`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await database.execute("CREATE TABLE schema_migrations (version TEXT PRIMARY KEY)")
            let migrator = Self.migrator(database, Self.first)
            let uses: [() async throws -> Void] = [
                { try await migrator.run() }, { try await migrator.start() }, { _ = try await migrator.status() },
            ]
            for use in uses {
                let error = await #expect(throws: MigrationError.self) { try await use() }
                let text = error?.description ?? ""
                #expect(text.hasPrefix("The table schema_migrations is another program's ("), "\(text)")
            }
        }
    }

    @Test func `a row that cannot be read is named with its table`() async throws {
        try await Engine.sqlite.run { (databases) async throws in
            let migrator = Self.migrator(databases[0], Self.first)
            try await migrator.run()
            try await databases[0].execute("UPDATE schema_migrations SET checksum = x'00'")
            let uses: [() async throws -> Void] = [
                { try await migrator.run() }, { try await migrator.start() }, { _ = try await migrator.status() },
            ]
            for use in uses {
                let error = await #expect(throws: MigrationError.self) { try await use() }
                let start = "The table schema_migrations has a row that cannot be read. Column checksum: it is BLOB"
                #expect(error?.description.hasPrefix(start) == true, "\(String(describing: error))")
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `the name of an unknown one controls no terminal`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let unknown = Migration("\u{1B}[2J", sql: "CREATE TABLE toys (id INT)")
            _ = try await Self.migrator(databases[0], Self.first, unknown).run()
            let error = await #expect(throws: MigrationError.self) {
                try await Self.migrator(databases[0], Self.first).run()
            }
            let start = "The database has the migration \\u{1b}[2J, which this program does not know: "
            #expect(error?.description.hasPrefix(start) == true, "\(String(describing: error))")
        }
    }

    @Test(arguments: Engine.allCases)
    func `those that had numbers are recognised by their names`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
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
