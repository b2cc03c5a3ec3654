import RoostSQL

/// A transaction that is begun and ended by hand, like another client's, beside the test's own work.
struct OtherTransaction {
    private let begun: any SQLDriverTransaction
    private let deadline = ContinuousClock.now + .seconds(100)

    init(_ database: Database) async throws { begun = try await database.driver.begin(.standard, deadline: deadline) }

    func execute(_ sql: SQL) async throws {
        let statement = SQLStatement(sql, isQuery: false, deadline: deadline)
        _ = try await begun.run(statement, into: ()) { _, _ in true }
    }

    /// The first number.
    func count(_ sql: SQL) async throws -> Int64? {
        let statement = SQLStatement(sql, isQuery: true, deadline: deadline)
        return try await begun.run(statement, into: Int64?.none) { number, row in
            number = row.integer(0)
            return false
        }.state
    }

    func end() async { await begun.rollBack() }
}
