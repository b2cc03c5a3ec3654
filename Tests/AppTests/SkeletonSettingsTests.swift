import FoundationEssentials
import Testing

/// The settings of a package that `scripts/new` makes.
@Suite("Settings of new packages", .timeLimit(.minutes(1)))
struct SkeletonSettingsTests {
    @Test(arguments: ["skeleton", "skeleton-accounts", "skeleton-api"])
    func `config shows what the program reads, and a variable that is empty counts as not set`(folder: String) throws {
        let program = try String(
            contentsOfFile: "\(Site.root)/scripts/\(folder)/Sources/NAME/Program.swift", encoding: .utf8)
        // This would take an empty one.
        #expect(!program.contains("variables[\""))
        let settings = try #require(program.split(separator: "func readSettings(").dropFirst().first)
        for setting in ["reader.read(databaseFile)", "reader.read(root)", "\"PUBLIC_URL\"", "\"ALLOWED_HOSTS\""] {
            #expect(settings.contains(setting), "\(setting)")
        }
    }

    /// What serves, and each command, begins with the database.
    @Test(arguments: ["skeleton", "skeleton-accounts", "skeleton-api"])
    func `nothing goes on with the file where DATABASE_URL names another database`(folder: String) throws {
        let program = try String(
            contentsOfFile: "\(Site.root)/scripts/\(folder)/Sources/NAME/Program.swift", encoding: .utf8)
        let database = try #require(program.split(separator: "func database() throws -> Database {").dropFirst().first)
        let body = try #require(database.split(separator: "\n    }\n").first)
        #expect(body.contains("Setting<String?>(\"DATABASE_URL\""))
        #expect(body.contains("throw StartError.configuration("))
    }
}
