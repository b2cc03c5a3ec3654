import FoundationEssentials
import Glibc
import Roost
import RoostAuth
import RoostJobs
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@testable import RoostAuthCommands
@testable import RoostCommands

@Suite("Programs", .quietLog, .timeLimit(.minutes(5)))
struct ProgramTests {
    private struct Plain: SiteProgram {
        static func application() throws -> Application {
            try Application { routes in routes.get(Path("/owls/{id}", Int.self)) { _, id in "\(id)" } }
        }
    }

    /// A program on a database in memory, with a command of its own.
    private struct Nests: DatabaseProgram {
        static let migrations = [Migration("nests", sql: "CREATE TABLE nests (tree TEXT NOT NULL)")]
        static var commands: [any ParsableCommand.Type] { [Seed.self] }

        static func database() -> Database { Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:"))) }

        static func application() throws -> Application { try Plain.application() }
    }

    private struct Seed: AsyncParsableCommand {
        @Option var trees = 3
    }

    private struct Members: AccountProgram {
        static let migrations = AuthMigrations.all
        static let tokenScopes = ["read", "write"]

        static func database() -> Database { Nests.database() }

        static func auth(_ database: Database) throws -> Auth { Auth(database, key: .random(), isHTTPS: false) }

        static func application() throws -> Application { try Plain.application() }
    }

    private static func names<Site: SiteProgram>(_ site: Site.Type) -> [String] {
        RootCommand<Site>.configuration.subcommands.map { $0._commandName }
    }

    @Test func `a program has the commands for what it has, and its own after them`() {
        let site = ["serve", "check", "translations", "config", "routes", "health"]
        #expect(Self.names(Plain.self) == site)
        #expect(Self.names(Nests.self) == site + ["migrate", "backup", "restore", "seed"])
        #expect(Self.names(Members.self) == site + ["migrate", "backup", "restore", "accounts", "tokens"])
    }

    @Test func `a command line is one of them, and serve without any`() throws {
        #expect(try RootCommand<Plain>.parseAsRoot([]) is ServeCommand<Plain>)
        #expect(try RootCommand<Nests>.parseAsRoot(["migrate"]) is MigrateCommand<Nests>.Apply)
        #expect(try RootCommand<Nests>.parseAsRoot(["migrate", "status"]) is MigrateCommand<Nests>.Status)
        #expect((try RootCommand<Nests>.parseAsRoot(["seed", "--trees", "4"]) as? Seed)?.trees == 4)
        let token = try RootCommand<Members>.parseAsRoot(["tokens", "add", "ann@example.com"])
        #expect((token as? TokensCommand<Members>.Add)?.scopes == "read,write")
        #expect(throws: (any Error).self) { try RootCommand<Plain>.parseAsRoot(["migrate"]) }
    }

    @Test(arguments: ["admin,editor", "admin, editor", " admin\t, editor "])
    func `blanks around the commas of an option do not count`(text: String) throws {
        let roles = try AccountsCommand<Members>.Roles.parse(["ann@example.com", "--remove", text])
        #expect(roles.remove.listed == ["admin", "editor"])
    }

    @Test func `it says its version, and the changelog begins with that of Roost`() throws {
        #expect(RootCommand<Plain>.configuration.version == "Roost \(RoostVersion.current)")
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let log = try String(contentsOfFile: root + "/CHANGELOG.md", encoding: .utf8)
        let first = log.split(separator: "\n").first { $0.hasPrefix("## ") && $0 != "## Unreleased" }
        #expect(first?.split(separator: " ").dropFirst().first == RoostVersion.current[...])
    }

    @Test func `a program without settings of its own has those of the server and the log`() throws {
        var reader = SettingsReader(["PORT": "x", "ROOST_EVN": "production"], file: [])
        Plain.readSettings(&reader)
        let names = Set(reader.entries.map(\.name))
        #expect(names.isSuperset(of: ["ROOST_ENV", "LOG_LEVEL", "LOG_FORMAT", "HOST", "PORT"]))
        let error = #expect(throws: StartError.self) { try reader.check() }
        #expect(error?.description.contains("PORT is \"x\"") == true)
        #expect(error?.description.contains("did you mean ROOST_ENV?") == true)
    }

    @Test func `routes are columns`() throws {
        let lines = TextTable(routes: try Plain.application().routes).text.split(separator: "\n")
        #expect(lines.count == 1 && lines[0].hasPrefix("GET  /owls/{id}  RoostCommandsTests/ProgramTests.swift:"))
        #expect(TextTable([["a", "bc", "d"], ["ab", "c"], ["abc", "", ""]]).text == "a    bc  d\nab   c\nabc")
    }

    // MARK: Databases

    /// A program on a file, whose path is the task's.
    private struct Filed: DatabaseProgram {
        @TaskLocal static var path = ""
        static let migrations = Nests.migrations

        static func database() -> Database { Database(SQLiteDriver(SQLiteConfiguration(path: path))) }

        static func application() throws -> Application { try Plain.application() }
    }

    private func inFolder(_ body: () async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await Filed.$path.withValue(folder + "/nests.sqlite") { try await body() }
    }

    @Test func `a command opens a file that exists, creates one only to migrate, and changes nothing when it reads`()
        async throws
    {
        try await inFolder {
            let missing = await #expect(throws: StartError.self) { try await Filed.withDatabase { _ in } }
            #expect(missing?.exitCode == 78)
            #expect(missing?.description.contains("There is no database at \(Filed.path). ") == true)
            #expect(missing?.description.hasSuffix(" migrate makes it.") == true)
            #expect(access(Filed.path, F_OK) != 0)
            try await Filed.withDatabase(.creating) { try await Migrator($0, Filed.migrations).run() }
            try await Filed.withDatabase { try await $0.execute("INSERT INTO nests (tree) VALUES ('oak')") }
            try await Filed.withDatabase(.reading) { database in
                let trees = try await database.query("SELECT tree FROM nests", as: String.self)
                #expect(trees == ["oak"])
                await #expect(throws: DatabaseError.self) { try await database.execute("DELETE FROM nests") }
            }
        }
    }

    @Test func `without migrations at the start, those of a newer version are only logged`() async throws {
        try await inFolder {
            try await Filed.withDatabase(.creating) { database in
                let newer = Migration("owls", sql: "CREATE TABLE owls (name TEXT)")
                try await Migrator(database, Filed.migrations + [newer]).run()
                try await CheckCommand<Filed>.parse([]).run()
                let log = LogLines()
                try await MigrationReminder(Migrator(database, Filed.migrations), logger: log.logger).start()
                #expect(log.all.count == 1)
                #expect(log.all.first?.contains("has the migration owls, which this program does not know") == true)
                // `migrate` would refuse this database, so nobody is told to run it.
                let eggs = Migration("eggs", sql: "CREATE TABLE eggs (count INT)")
                let both = LogLines()
                try await MigrationReminder(Migrator(database, Filed.migrations + [eggs]), logger: both.logger).start()
                #expect(both.all.count == 2 && both.all.last?.contains("lacks migrations (eggs).") == true)
                let changed = Migration("nests", sql: "CREATE TABLE nests (branch TEXT)")
                await #expect(throws: MigrationError.self) {
                    try await MigrationReminder(Migrator(database, [changed]), logger: log.logger).start()
                }
            }
        }
    }

    @Test func `a database in memory has nothing for a command`() async throws {
        let error = await #expect(throws: StartError.self) { try await Nests.withDatabase { _ in } }
        #expect(error?.exitCode == 78)
    }

    @Test func `jobs that are named and not there are an exit code, and a limit has its limits`() async throws {
        try await inFolder {
            try await Filed.withDatabase(.creating) { database in
                try await Migrator(database, Jobs.migrations).run()
                for id in 1...3 {
                    try await database.execute(
                        """
                        INSERT INTO queued_jobs (id, name, queue, priority, payload, due_at, added_at)
                        VALUES (\(id), 'x', 'default', 0, '{}', 1, 1)
                        """)
                }
            }
            try await JobsCommand<Filed>.Retry.parse(["1"]).run()
            try await JobsCommand<Filed>.Retry.parse([]).run()
            await #expect(throws: ExitCode(1)) { try await JobsCommand<Filed>.Retry.parse(["1", "7"]).run() }
            try await JobsCommand<Filed>.Discard.parse(["1", "1", "2"]).run()
            await #expect(throws: ExitCode(1)) { try await JobsCommand<Filed>.Discard.parse(["1"]).run() }
            try await JobsCommand<Filed>.Discard.parse([]).run()
        }
        for limit in ["0", "-1", "10001", "20000"] {
            #expect(throws: (any Error).self) { try JobsCommand<Filed>.List.parse(["--limit=\(limit)"]) }
        }
        for limit in [1, 10_000] {
            #expect(try JobsCommand<Filed>.List.parse(["--limit=\(limit)"]).limit == limit)
        }
    }

    @Test func `a backup is restored, whatever the engine's module is called`() async throws {
        try await inFolder {
            try await Filed.withDatabase(.creating) { try await Migrator($0, Filed.migrations).run() }
            let copy = Filed.path + ".copy"
            try await BackupCommand<Filed>.parse([copy]).run()
            try await Filed.withDatabase { try await $0.execute("INSERT INTO nests (tree) VALUES ('oak')") }
            try await RestoreCommand<Filed>.parse([copy]).run()
            try await Filed.withDatabase(.reading) { database in
                let trees = try await database.query("SELECT tree FROM nests", as: String.self)
                #expect(trees == [])
            }
        }
    }

    @Test func `a restore says which database it has replaced`() {
        let report = RestoreCommand<Filed>.report(on: "/srv/a.sqlite", from: "/tmp/b.sqlite", old: "/srv/a.before")
        let lines = [
            "The database /srv/a.sqlite has been restored from /tmp/b.sqlite.",
            "The database of before is /srv/a.before.",
        ]
        #expect(report.split(separator: "\n").map(String.init) == lines)
        #expect(
            RestoreCommand<Filed>.report(on: "a", from: "b", old: nil) == "The database a has been restored from b.")
    }

    // MARK: Checks

    @Test(arguments: [
        ("/proc/none/data", "/proc/none/data does not exist, and cannot be made in /proc/none."), ("/tmp", nil),
        ("/tmp/roost-none", nil), ("roost-none", nil), ("/tmp/roost-none/", nil),
        // Only some users may make a folder there.
        ("/roost-none", access("/", W_OK) == 0 ? nil : "/roost-none does not exist, and cannot be made in /."),
    ])
    func `a folder can be written, or made`(path: String, sentence: String?) async throws {
        do {
            let details = try await StartCheck.folder("data", path).body()
            #expect(details?.hasPrefix(path) == true && sentence == nil)
        } catch {
            #expect("\(error)" == sentence)
        }
    }

    /// A program in several languages, whose tables are the task's.
    private struct Spoken: SiteProgram {
        @TaskLocal static var german: [String: String] = [:]
        static let texts = ["Welcome"]

        static func application() throws -> Application {
            try Application(
                templates: Templates(sources: ["main": #"{{t "{n} owls" n}}"#]),
                middleware: [Languages([.english, MessageTable("de", german)])]
            ) { _ in }
        }
    }

    @Test(arguments: [
        (["Welcome": "Willkommen", "{n} owls": "{n} Eulen", "Old": "Alt", "Not Found": "Nicht gefunden"], nil),
        (["Welcome": "Willkommen"], 1), (["{n} owls": "{n} Eulen"], 1), ([:], 1),
        (["Welcome": "Willkommen", "{n} owls": "{m} Eulen"], 1),
        (["Welcome": "Willkommen", "{n} owls": "{n, number, many} Eulen"], 1),
    ])
    func `a text that is not translated, or would be shown wrong, is a fault`(
        german: [String: String], code: Int?
    ) async throws {
        try await Spoken.$german.withValue(german) {
            let command = try CheckCommand<Spoken>.parse([])
            if let code {
                let error = await #expect(throws: ExitCode.self) { try await command.run() }
                #expect(error.map { Int($0.rawValue) } == code)
            } else {
                try await command.run()
            }
        }
    }

    @Test func `the faults are named, and what is no fault beside the language`() throws {
        let texts = ["Welcome": "Willkommen", "{n} owls": "{n} Eulen", "Old": "Alt", "Must not be empty.": "Fehlt."]
        let rest = MessageTable.sentences.count - 1
        let whole = try Spoken.$german.withValue(texts) { try CheckCommand<Spoken>.languages(of: Spoken.application()) }
        #expect(whole == "en; de, \(rest) sentences of Roost stay English, used nowhere: \"Old\"")
        let error = #expect(throws: StartError.self) {
            try Spoken.$german.withValue(["Welcome": "{x}"]) {
                try CheckCommand<Spoken>.languages(of: Spoken.application())
            }
        }
        #expect(
            error?.description
                == "de: \"{n} owls\" is not translated. de: \"Welcome\" has no {x}, and its translation has.")
        #expect(try CheckCommand<Plain>.languages(of: Plain.application()) == nil)
    }

    @Test func `a file that serve could not create, without its folder, is a fault`() async throws {
        await Filed.$path.withValue("/proc/none/nests.sqlite") {
            let error = await #expect(throws: ExitCode.self) { try await CheckCommand<Filed>.parse([]).run() }
            #expect(error?.rawValue == 1)
        }
    }

    @Test func `a check that fails ends with code 1`() async throws {
        try await inFolder {
            try await CheckCommand<Filed>.parse(["--json"]).run()
            try await Filed.withDatabase(.creating) { try await Migrator($0, Filed.migrations).run() }
            try await CheckCommand<Filed>.parse(["--deep"]).run()
            try await Filed.withDatabase { try await $0.execute("UPDATE schema_migrations SET checksum = 'x'") }
            let error = await #expect(throws: ExitCode.self) { try await CheckCommand<Filed>.parse([]).run() }
            #expect(error?.rawValue == 1)
        }
    }
}
