import Roost
import RoostTesting
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

    /// A role without rights is told what to do, and that another start would fail, too. The schema is missing after
    /// `DROP SCHEMA public CASCADE; CREATE SCHEMA public` by another role.
    @Test(arguments: [
        (
            DatabaseError.statement(code: "42501", message: "permission denied for schema public"),
            "permission denied for schema public. Let it own the database"
        ),
        (.corrupt("database disk image is malformed (a.sqlite)"), "(a.sqlite). Restore a backup."),
        (.statement(code: "3F000", message: "no schema has been selected to create in"), "… AUTHORIZATION …, or GRANT"),
    ])
    func `what only a person can mend is not waited for`(refusal: DatabaseError, advice: String) async {
        let database = Database(CannedDriver(failure: refusal, dialect: .postgresql))
        let migrator = Migrator(database, [Migration("a", sql: "CREATE TABLE a (id INT)")])
        for isStart in [false, true] {
            let error = await #expect(throws: MigrationError.self) {
                if isStart { try await migrator.start() } else { try await migrator.run() }
            }
            #expect(error?.exitCode == 78)
            #expect(error?.description.contains(advice) == true)
        }
    }

    @Test(arguments: [
        (DatabaseError.corrupt("index is broken"), "The database is damaged: index is broken. Restore a backup."),
        (.statement(code: "3F000", message: "no schema"), "The program's role has no schema for its tables (3F000): "),
    ])
    func `a start that has waited for its database ends with what waiting does not fix`(
        failure: DatabaseError, sentence: String
    ) async {
        let lines = LogLines()
        let database = Database(CannedDriver(failure: failure, dialect: .postgresql))
        let list = [Migration("a", sql: "CREATE TABLE a (id INT)")]
        await Migrator(database, list, logger: lines.logger).retry(every: .zero)
        #expect(lines.all.count == 1)
        #expect(lines.all.last?.hasPrefix("The migrations cannot be applied: \(sentence)") == true, "\(lines.all)")
    }

    @Test(arguments: [
        ("CREATE INDEX CONCURRENTLY cannot run inside a transaction block", true),
        ("SET TRANSACTION ISOLATION LEVEL must be called before any query", false),
    ])
    func `a statement that can be in no transaction gets a migration of its own`(message: String, isAdvised: Bool) {
        let error = DatabaseError.statement(code: "25001", message: message)
        let text = MigrationError.failed(Migration("a", sql: "SELECT 1"), error).description
        #expect(text.hasSuffix("inTransaction: false.") == isAdvised, "\(text)")
    }
}
