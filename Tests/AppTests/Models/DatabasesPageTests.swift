import FoundationEssentials
import Glibc
import Processes
import Roost
import RoostPostgres
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

// The programs of docs/databases.md, letter for letter.

func openDatabase(_ text: String) throws -> Database {
    switch try DatabaseURL(text) {
    case .sqlite(let path): Database(SQLiteDriver(SQLiteConfiguration(path: path)))
    case .postgresql(let url): Database(try PostgresDriver(url))
    }
}

struct Nests: Sendable {
    let database: Database

    static let migrations = [
        Migration(
            "nests",
            sql: "CREATE TABLE nests (id ${identity}, tree ${text} NOT NULL, found_at ${instant} NOT NULL)")
    ]

    func add(_ tree: String, _ date: Date) async throws -> Int? {
        try await database.insert("INSERT INTO nests (tree, found_at) VALUES (\(tree), \(date))")
    }

    func trees(since date: Date) async throws -> [String] {
        try await database.query("SELECT tree FROM nests WHERE found_at >= \(date) ORDER BY tree", as: String.self)
    }
}

private let testDatabases = ["sqlite::memory:"]

@Suite("The page about databases", .timeLimit(.minutes(5)))
struct DatabasesPageTests {
    @Test(.quietLog, arguments: testDatabases)
    func `nests are found by their date`(url: String) async throws {
        let nests = Nests(database: try openDatabase(url))
        try await nests.database.start()
        try await Migrator(nests.database, Nests.migrations).run()
        #expect(try await nests.add("oak", Date(timeIntervalSince1970: 1)) == 1)
        #expect(try await nests.add("elm", Date(timeIntervalSince1970: 2)) == 2)
        #expect(try await nests.add("Ash", Date(timeIntervalSince1970: 3)) == 3)
        #expect(try await nests.trees(since: Date(timeIntervalSince1970: 2)) == ["Ash", "elm"])
        await nests.database.stop()
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"))
    func `and on a server`() async throws {
        try await `nests are found by their date`(url: PostgresServer.shared().makeDatabase())
    }

    private static let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }

    static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }

    @Test func `its programs are compiled`() throws {
        let source = try Self.text("Tests/AppTests/Models/DatabasesPageTests.swift")
        let blocks = try Self.text("docs/databases.md").split(separator: "```swift\n").dropFirst()
            .compactMap { $0.split(separator: "```").first }
        #expect(blocks.count == 3)
        for block in blocks {
            let indented = block.split(separator: "\n").map { "    \($0)\n" }.joined()
            #expect(source.contains(block) || source.contains(indented), "\(block)")
        }
    }

    /// Whether the programs that the page moves data with are there.
    private static let canMove =
        PostgresServer.isInstalled && ["sqlite3", "psql"].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }

    @Test(.enabled(if: canMove, "PostgreSQL or sqlite3 is not installed: scripts/test --all installs them"))
    func `its commands move the rows`() async throws {
        let page = try Self.text("docs/databases.md")
        let script = try #require(page.split(separator: "```sh\n").dropFirst().first?.split(separator: "```").first)
        let folder = "/tmp/roost-move-\(getpid())"
        mkdir(folder, 0o700)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let old = Nests(database: try openDatabase("sqlite:\(folder)/nests.sqlite"))
        try await old.database.start()
        try await Migrator(old.database, Nests.migrations).run()
        for (tree, time) in [("oak, \"old\"", 1.5), ("", 2), ("Zoë", 3)] {
            _ = try await old.add(tree, Date(timeIntervalSince1970: time))
        }
        await old.database.stop()
        let url = try await PostgresServer.shared().makeDatabase()
        let new = Nests(database: try openDatabase(url))
        try await new.database.start()
        try await Migrator(new.database, Nests.migrations).run()
        let start = "cd \(folder) && export DATABASE_URL='\(url)' && set -e"
        let process = try GuardedProcess(["sh", "-c", "\(start)\n\(script)\necho moved; exec sleep 1000"])
        #expect(try await process.output(upTo: "moved\n").contains("moved"))
        #expect(try await new.trees(since: Date(timeIntervalSince1970: 0)) == ["", "Zoë", "oak, \"old\""])
        #expect(try await new.trees(since: Date(timeIntervalSince1970: 1.6)) == ["", "Zoë"])
        #expect(try await new.add("elm", Date(timeIntervalSince1970: 4)) == 4)
        await new.database.stop()
    }

    @Test(
        .enabled(if: access("/usr/bin/sqlite3", X_OK) == 0, "sqlite3 is not installed: scripts/test --all installs it")
    )
    func `a number is moved with all its digits`() async throws {
        let page = try Self.text("docs/databases.md")
        let rest = try #require(page.components(between: "`iif(height", and: "`").first)
        let nests = "WITH nests (height) AS (VALUES (0.1 + 0.2), (NULL))"
        let query = "\(nests) SELECT iif(height\(rest) FROM nests ORDER BY height DESC"
        let script = "sqlite3 -csv :memory: \"$1\" && echo written; exec sleep 1000"
        let process = try GuardedProcess(["sh", "-c", script, "sh", query])
        let output = try await process.output(upTo: "written\n")
        let lines = output.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        #expect(lines.first.flatMap { Double($0) } == 0.1 + 0.2)
        #expect(lines.dropFirst() == ["", "written", ""])
    }
}
