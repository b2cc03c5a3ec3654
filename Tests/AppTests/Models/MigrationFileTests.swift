import FoundationEssentials
import Roost
import RoostSQL
import Testing

@testable import App

@Suite("Migration files", .timeLimit(.minutes(5)))
struct MigrationFileTests {
    /// A migration whose file is in the folder but not in the list would never be applied.
    @Test func `the list and the folder agree`() throws {
        let folder = Site.root + "/Sources/App/Migrations"
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            files[name] = FileManager.default.contents(atPath: folder + "/" + name).map { Array($0) }
        }
        for migration in Migrations.files {
            let name = migration.name
            var file = files.removeValue(forKey: name + ".sql").map { Migration(name, sql: $0) }
            if file == nil, let sqlite = files.removeValue(forKey: name + ".sqlite.sql"),
                let postgresql = files.removeValue(forKey: name + ".postgresql.sql")
            {
                file = Migration(name, sqlite: sqlite, postgresql: postgresql)
            }
            for dialect in [SQLDialect.sqlite, .postgresql] {
                #expect(file?.text(for: dialect) == migration.text(for: dialect), "\(name)")
            }
        }
        #expect(files.keys.sorted() == [], "These files are in no migration of the list.")
    }

    /// Databases keep the checksum of each text, and refuse a program that has another: these texts never change.
    @Test func `every text is the one that databases know`() {
        var sums: [String] = []
        for migration in Migrations.all {
            let texts = [SQLDialect.sqlite, .postgresql].map { migration.text(for: $0) }
            let checksums = texts.map { String(SHA256.hexadecimal(of: $0.utf8).prefix(12)) }
            sums.append(([migration.name] + checksums).joined(separator: " "))
        }
        #expect(
            sums.joined(separator: "\n") == Self.known,
            "A new migration adds its line to `known`; a line that is there never changes.")
    }

    private static let known = """
        users c34add78bf5d 446b67f76587
        sessions 994e4c46225f 994e4c46225f
        user_events 8d2bb069c62d f67f07368a39
        jobs 293a785cfcb1 293a785cfcb1
        pictures 647c390e37f7 647c390e37f7
        session_owners 92583066aa16 92583066aa16
        user_event_values 39e3dca1aec3 560696d41e69
        user_pictured c3d26a1a8e04 a51692616210
        accounts f90ea352fd81 bfdae8fbc643
        audit_log ae61d556da0e 8a67be451f04
        sign_in_failures 599ddd641826 599ddd641826
        api_tokens 3fb39fc57063 5cdbd3060497
        queued_jobs 60402e2cf08a 4c4e0aa561d3
        certificates aae60f7e8314 aae60f7e8314
        idempotency_keys b71c5cb36d2f b71c5cb36d2f
        """
}
