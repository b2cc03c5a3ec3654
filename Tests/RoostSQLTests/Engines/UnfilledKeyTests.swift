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
