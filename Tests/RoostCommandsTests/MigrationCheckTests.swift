import FoundationEssentials
import Roost
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@testable import RoostCommands

@Suite("Checks of migrations", .quietLog, .timeLimit(.minutes(5)))
struct MigrationCheckTests {
    /// A program with the task's migrations, whose database's file is not there.
    private struct Owls: DatabaseProgram {
        @TaskLocal static var added: [Migration] = []
        static let path = FileManager.default.temporaryDirectory.path + "/roost-\(UUID().uuidString).sqlite"
        static var migrations: [Migration] { [Migration("owls", sql: "CREATE TABLE owls (name TEXT)")] + added }

        static func database() -> Database { Database(SQLiteDriver(SQLiteConfiguration(path: path))) }

        static func application() throws -> Application { try Application { _ in } }
    }

    @Test(arguments: [
        Migration("owls", sql: "CREATE TABLE nests (tree TEXT)"),
        Migration("nests", sql: "CREATE TABLE nests (id ${identty})"),
    ])
    func `a mistake in a migration is found before there is a database`(migration: Migration) async throws {
        try await CheckCommand<Owls>.parse([]).run()
        await Owls.$added.withValue([migration]) {
            let code = await #expect(throws: ExitCode.self) { try await CheckCommand<Owls>.parse([]).run() }
            #expect(code?.rawValue == 1)
        }
        #expect(!FileManager.default.fileExists(atPath: Owls.path))
    }
}
