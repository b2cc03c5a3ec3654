import Engines
import RoostSQL
import RoostTesting
import Testing

@Suite("Keys that SQLite does not fill", .timeLimit(.minutes(5)))
struct UnfilledKeyTests {
    /// Applies a migration, twice; returns the warnings.
    private static func apply(_ text: String, to database: Database) async throws -> [String] {
        let log = LogLines(.warning)
        for _ in 0..<2 { try await Migrator(database, [Migration("eggs", sql: text)], logger: log.logger).run() }
        return log.all
    }

    @Test(arguments: [
        ("CREATE TABLE eggs (id SERIAL PRIMARY KEY, n TEXT)", "id SERIAL"),
        ("create table eggs (n TEXT, id int primary key)", "id int"),
        ("CREATE TABLE eggs (id BIGINT(20) PRIMARY KEY);", "id BIGINT"),
        ("CREATE TABLE IF NOT EXISTS main.eggs (id INTEGER AUTO_INCREMENT PRIMARY KEY)", "id INTEGER"),
        (
            "CREATE TABLE a (n TEXT DEFAULT 'x, ('); /* ' */ CREATE TABLE eggs (\"id\" bigserial, PRIMARY KEY (id))",
            "\"id\" bigserial"
        ),
    ])
    func `are told once, and stay`(text: String, column: String) async throws {
        try await Engine.sqlite.run { (databases) async throws in
            let warnings = try await Self.apply(text, to: databases[0])
            #expect(warnings.count == 1)
            let sentence = "The migration eggs has \(column), which SQLite does not fill: it is NULL"
            #expect(warnings.first?.hasPrefix(sentence) == true, "\(warnings)")
            #expect(warnings.first?.contains("Write ${identity}, or NOT NULL where the program gives") == true)
            #expect(try await databases[0].first("SELECT count(*) FROM eggs", as: Int.self) == 0)
        }
    }

    @Test func `are found by what SQLite makes of the text`() async throws {
        try await Engine.sqlite.run { (databases) async throws in
            let migrations = [
                Migration("eggs", sql: "CREATE TABLE eggs (id INT, n TEXT, PRIMARY KEY (id))"),
                Migration("nests", sql: "CREATE TABLE nests (id INT, PRIMARY KEY (id))", inTransaction: false),
                Migration("count", sql: "ALTER TABLE nests ADD COLUMN n SERIAL"),
                Migration("birds", sql: "CREATE TABLE birds (id ${identity})"),
            ]
            let log = LogLines(.warning)
            try await Migrator(databases[0], migrations, logger: log.logger).run()
            let warnings = log.all.map { $0.prefix { $0 != "," } }
            let keys = ["eggs has id INT", "nests has id INT", "count has n SERIAL"]
            #expect(warnings == keys.map { "The migration \($0)" })
        }
    }

    @Test func `are not told again when their table gets another name or page`() async throws {
        try await Engine.sqlite.run { (databases) async throws in
            let migrations = [
                Migration("first", sql: "CREATE TABLE first (n TEXT); INSERT INTO first VALUES ('a')"),
                Migration("eggs", sql: "CREATE TABLE eggs (id INT PRIMARY KEY)"),
                Migration("rename", sql: "ALTER TABLE eggs RENAME TO shells; DROP TABLE first"),
                Migration("vacuum", sql: "VACUUM", inTransaction: false),
            ]
            let log = LogLines(.warning)
            try await Migrator(databases[0], migrations, logger: log.logger).run()
            #expect(log.all.count == 1)
            #expect(log.all.first?.hasPrefix("The migration eggs has id INT, ") == true, "\(log.all)")
        }
    }

    @Test(arguments: [
        "CREATE TABLE eggs (id ${identity}, serial TEXT)", "CREATE TABLE eggs (id INTEGER PRIMARY KEY, n INT)",
        "CREATE TABLE eggs (id INT PRIMARY KEY NOT NULL)", "CREATE TABLE eggs (id TEXT PRIMARY KEY, n BIGINT)",
        "CREATE TABLE eggs (id INT, n BIGINT, PRIMARY KEY (id, n))", "CREATE TABLE eggs (id INT PRIMARY KEY DEFAULT 1)",
        "CREATE TABLE eggs (id INT PRIMARY KEY) WITHOUT ROWID", "CREATE TABLE eggs (id INT PRIMARY KEY) STRICT;",
        "CREATE TABLE eggs (id TEXT, CONSTRAINT serial UNIQUE (id))",
        "CREATE TABLE eggs (id TEXT, [serial] TEXT /* , n SERIAL */) -- , n SERIAL",
        "CREATE TABLE eggs (id TEXT DEFAULT 'CREATE TABLE a (id SERIAL)')", "CREATE TABLE eggs AS SELECT (1) AS id",
        "CREATE TEMP TABLE copy (id INT PRIMARY KEY)", "create temporary table copy (id SERIAL)",
    ])
    func `others are not`(text: String) async throws {
        try await Engine.sqlite.run { (databases) async throws in
            #expect(try await Self.apply(text, to: databases[0]) == [])
        }
    }

    @Test(arguments: Engine.allCases.filter { $0 == .postgresql })
    func `PostgreSQL fills its own`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let text = "CREATE TABLE eggs (id SERIAL PRIMARY KEY, n TEXT)"
            #expect(try await Self.apply(text, to: databases[0]) == [])
            #expect(try await databases[0].insert("INSERT INTO eggs (n) VALUES ('a')") == 1)
        }
    }
}
