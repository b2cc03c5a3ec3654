import Roost
import RoostTesting
import Testing

@testable import RoostSQL

@Suite("The clock of Idempotency-Key", .timeLimit(.minutes(5)))
struct IdempotencyClockTests {
    /// The text of the statement that keeps a response.
    private static func text(_ dialect: SQLDialect) async throws -> String {
        let driver = CannedDriver(dialect: dialect)
        let table = IdempotencyTable(
            Database(driver, logger: LogLines().logger), lifetime: 60, attemptTime: 60, maximumResponseSize: 100)
        await table.keep(.text("egg"), for: IdempotencyClaim(id: "a", fingerprint: "b", attempt: 1))
        guard case .run(let sql) = try #require(driver.events.first) else {
            Issue.record("Something else than a statement was run.")
            return ""
        }
        return sql.text
    }

    @Test func `is PostgreSQL's own where no test has one, and this machine's for a file`() async throws {
        #expect(try await Self.text(.postgresql).contains("FROM now()"))
        #expect(try await withClock(TestClock()) { try await Self.text(.postgresql) }.contains("now()") == false)
        #expect(try await Self.text(.sqlite).contains("now()") == false)
    }
}
