import FoundationEssentials
import Roost
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@testable import RoostCommands

@Suite("The command backup", .quietLog, .timeLimit(.minutes(5)))
struct BackupCommandTests {
    /// A program on a file, whose path is the task's.
    private struct Owls: DatabaseProgram {
        @TaskLocal static var path = ""
        static let migrations = [Migration("owls", sql: "CREATE TABLE owls (name TEXT)")]

        static func database() -> Database { Database(SQLiteDriver(SQLiteConfiguration(path: path))) }

        static func application() throws -> Application { try Application { _ in } }
    }

    @Test func `an empty database is refused, and a file that exists, both with code 78`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let copy = folder + "/copy.sqlite"
        try await Owls.$path.withValue(folder + "/owls.sqlite") {
            // The restore would refuse the copy as well.
            try Data().write(to: URL(filePath: Owls.path))
            let empty = await #expect(throws: DatabaseError.self) { try await BackupCommand<Owls>.parse([copy]).run() }
            #expect(empty?.exitCode == 78)
            #expect(empty?.description.contains("owls.sqlite is empty") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("copy") } == [])

            try await Owls.withDatabase(.creating) { try await Migrator($0, Owls.migrations).run() }
            try await BackupCommand<Owls>.parse([copy]).run()
            let again = await #expect(throws: StartError.self) { try await BackupCommand<Owls>.parse([copy]).run() }
            #expect(again?.exitCode == 78)
            #expect(again?.description == "\(copy) exists; name a new file.")

            let link = folder + "/link.sqlite"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/nowhere")
            let dangling = await #expect(throws: StartError.self) { try await BackupCommand<Owls>.parse([link]).run() }
            #expect(dangling?.description == "\(link) exists; name a new file.")
        }
    }
}
