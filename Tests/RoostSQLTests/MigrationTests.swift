import Roost
import Testing

@testable import RoostSQL

@Suite("Migrations", .timeLimit(.minutes(5)))
struct MigrationTests {
    @Test(arguments: [SQLDialect.sqlite, .postgresql])
    func `a checksum does not depend on the end of lines`(dialect: SQLDialect) {
        let text = "CREATE TABLE a (\n    id INT);\n\n"
        let returns = "CREATE TABLE a (\r\n    id INT);\r\n\r\n"
        let (one, other) = (Migration("a", sql: text), Migration("a", sql: returns))
        #expect(one.checksum(for: dialect) == SHA256.hexadecimal(of: text.utf8))
        #expect(one.checksum(for: dialect) == other.checksum(for: dialect))
        // That of an earlier version.
        #expect(other.hasChecksum(SHA256.hexadecimal(of: returns.utf8), for: dialect))
        #expect(other.hasChecksum(one.checksum(for: dialect), for: dialect))
        let changed = Migration("a", sql: "CREATE TABLE a (\r    id INT);\n\n")
        #expect(!changed.hasChecksum(one.checksum(for: dialect), for: dialect))
    }

    @Test func `a role without rights is told what to do, and that another start would fail, too`() async throws {
        let refusal = DatabaseError.statement(code: "42501", message: "permission denied for schema public")
        let database = Database(CannedDriver(failure: refusal, dialect: .postgresql))
        let migrator = Migrator(database, [Migration("a", sql: "CREATE TABLE a (id INT)")])
        for isStart in [false, true] {
            let error = await #expect(throws: MigrationError.self) {
                if isStart { try await migrator.start() } else { try await migrator.run() }
            }
            #expect(error?.exitCode == 78)
            #expect(error?.description.contains("permission denied for schema public. Let it own the database") == true)
        }
    }
}
