import RoostSQL

/// A transaction that is begun and ended by hand, like another client's, beside the test's own work.
struct OtherTransaction {
    private let begun: any SQLDriverTransaction
    private let deadline = ContinuousClock.now + .seconds(100)

    init(_ database: Database) async throws { begun = try await database.driver.begin(.standard, deadline: deadline) }

    func execute(_ sql: SQL) async throws {
        let statement = SQLStatement(sql, isQuery: false, deadline: deadline)
        var nothing: Void = ()
        _ = try await begun.run(statement, into: &nothing) { _, _ in true }
    }

    /// The first number.
    func count(_ sql: SQL) async throws -> Int64? {
        let statement = SQLStatement(sql, isQuery: true, deadline: deadline)
        var number: Int64?
        _ = try await begun.run(statement, into: &number) { number, row in
            number = row.integer(0)
            return false
        }
        return number
    }

    func end() async { await begun.rollBack() }
}
