import FoundationEssentials
import Roost
import RoostJobs
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@testable import RoostCommands

/// What commands tell people to do: it must help with every program.
@Suite("Advice of commands", .quietLog, .timeLimit(.minutes(1)))
struct AdviceTests {
    private struct Sing: Job {
        static let queue = "song"

        func run(_ context: JobContext) async throws {}
    }

    /// A program with jobs, none of whose settings has a usual name.
    private struct Birds: DatabaseProgram {
        static let migrations = [Migration("birds", sql: "CREATE TABLE birds (name TEXT NOT NULL)")]

        static func database() -> Database {
            Database(SQLiteDriver(SQLiteConfiguration(path: "/proc/none/birds.sqlite")))
        }

        static func application() throws -> Application {
            try Application(services: [Jobs(database(), [Sing.self], queues: ["song": 1, "default": 2])]) { _ in }
        }
    }

    /// One without jobs.
    private struct Stones: DatabaseProgram {
        static let migrations = Birds.migrations
        static func database() -> Database { Birds.database() }
        static func application() throws -> Application { try Application { _ in } }
    }

    @Test(arguments: [
        ("servee", #"; did you mean "serve"?"#), ("migrat", #"; did you mean "migrate"?"#), ("fly", ""),
    ])
    func `a mistyped command is asked about`(word: String, question: String) {
        let error = #expect(throws: (any Error).self) { try RootCommand<Birds>.parseAsRoot([word]) }
        let message = error.map { RootCommand<Birds>.fullMessage(for: $0) } ?? ""
        #expect(message.hasPrefix("Error: Unexpected argument '\(word)'\(question)\nUsage: "), "\(message)")
        #expect(error.map { RootCommand<Birds>.exitCode(for: $0) } == .validationFailure)
    }

    @Test func `migrations that are missing are advice for a program without a setting for them, too`() async throws {
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))
        try await database.start()
        let log = LogLines()
        try await MigrationReminder(Migrator(database, Birds.migrations), logger: log.logger).start()
        await database.stop()
        #expect(log.all.count == 1)
        #expect(log.all.first?.contains("lacks migrations (birds): run \(ProgramName.current) migrate.") == true)
    }

    /// A program on a file, whose path is the task's.
    private struct Eggs: DatabaseProgram {
        @TaskLocal static var path = ""
        static let migrations = Birds.migrations + [Migration("eggs", sql: "CREATE TABLE eggs (bird TEXT)")]
        static func database() -> Database { Database(SQLiteDriver(SQLiteConfiguration(path: path))) }
        static func application() throws -> Application { try Application { _ in } }
    }

    private static func withEggs(_ body: () async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await Eggs.$path.withValue(folder + "/eggs.sqlite") { try await body() }
    }

    @Test func `a command that finds no table names the migrations that are missing`() async throws {
        try await Self.withEggs {
            try await Eggs.withDatabase(.creating) { try await Migrator($0, Birds.migrations).run() }
            let error = await #expect(throws: StartError.self) {
                try await Eggs.withDatabase { try await $0.execute("DELETE FROM eggs") }
            }
            let text = error?.description ?? ""
            #expect(text.contains("no such table: eggs"), "\(text)")
            #expect(text.hasSuffix("The database lacks migrations (eggs): run \(Eggs.name) migrate."), "\(text)")
            #expect(error?.exitCode == 78)
            let advised = await #expect(throws: StartError.self) {
                try await Eggs.withDatabase { try await $0.execute("DELETE FROM birds WHERE name = (1, 2)") }
            }
            #expect(advised?.description.contains("…). The database lacks migrations") == true)
            try await Eggs.withDatabase { try await Migrator($0, Eggs.migrations).run() }
            await #expect(throws: DatabaseError.self) {
                try await Eggs.withDatabase { try await $0.execute("DELETE FROM nests") }
            }
        }
    }

    @Test func `a command whose role lacks a right says what to grant`() async throws {
        try await Self.withEggs {
            try await Eggs.withDatabase(.creating) { try await Migrator($0, Eggs.migrations).run() }
            let error = await #expect(throws: MigrationError.self) {
                try await Eggs.withDatabase { _ in
                    throw DatabaseError.statement(code: "42501", message: "permission denied for table eggs")
                }
            }
            #expect(error?.description.contains("permission denied for table eggs. Let it own the database") == true)
            #expect(error?.exitCode == 78)
        }
    }

    @Test func `a row that a policy refuses says nothing of rights`() async throws {
        try await Self.withEggs {
            try await Eggs.withDatabase(.creating) { try await Migrator($0, Eggs.migrations).run() }
            let refusal = DatabaseError.statement(
                code: "42501", message: "new row violates row-level security policy for table \"eggs\"")
            let error = await #expect(throws: DatabaseError.self) {
                try await Eggs.withDatabase { _ in throw refusal }
            }
            #expect(error == refusal)
        }
    }

    @Test func `migrations are listed beside one of a newer version`() async throws {
        try await Self.withEggs {
            let newer = Migration("owls", sql: "CREATE TABLE owls (name TEXT)")
            try await Eggs.withDatabase(.creating) { try await Migrator($0, Birds.migrations + [newer]).run() }
            try await MigrateCommand<Eggs>.Status.parse([]).run()
            try await Eggs.withDatabase(.reading) { database in
                var unknown: [String] = []
                let list = try await Migrator(database, Eggs.migrations).status { unknown.append($0.description) }
                #expect(list.map(\.name) == ["birds", "eggs"])
                #expect(list.map { $0.appliedAt == nil } == [false, true])
                #expect(unknown.count == 1 && unknown.first?.contains("has the migration owls, which this") == true)
            }
        }
    }

    @Test func `a file that cannot be made may be that of another setting than the site's`() async throws {
        let error = await #expect(throws: StartError.self) { try await Birds.withDatabase(.creating) { _ in } }
        #expect(error?.description.contains("/proc/none/birds.sqlite cannot be used") == true)
        #expect(error?.description.hasSuffix("DATABASE_URL, or the program's own setting).") == true)
    }

    @Test func `a queue that the program does not have is told with those that it has`() async throws {
        let doubt = await JobsCommand<Birds>.doubt(about: "sogn")
        #expect(doubt == "This program takes no jobs from the queue sogn. Its queues: default, song.\n")
        #expect(await JobsCommand<Birds>.doubt(about: "song") == nil)
        #expect(await JobsCommand<Stones>.doubt(about: "sogn") == nil)
    }
}
