import FoundationEssentials
import RoostSQL
import Testing

@testable import App

@Suite("Migration files", .timeLimit(.minutes(5)))
struct MigrationFileTests {
    /// A migration whose file is in the folder but not in the list would never be applied.
    @Test func `the list and the folder agree`() throws {
        let folder = Site.root + "/Sources/App/Migrations"
        var expected: [String: String] = [:]
        for migration in Migrations.files {
            let name = migration.name
            let texts = [SQLDialect.sqlite, .postgresql].map { ($0, migration.text(for: $0)) }
            if texts[0].1 == texts[1].1 {
                expected["\(name).sql"] = texts[0].1
            } else {
                for (dialect, text) in texts { expected["\(name).\(dialect.rawValue).sql"] = text }
            }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(files) == Set(expected.keys))
        for (name, text) in expected {
            #expect(FileManager.default.contents(atPath: folder + "/" + name).map { Array($0) } == Array(text.utf8))
        }
    }
}
