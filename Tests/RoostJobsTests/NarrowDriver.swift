import Engines
import Roost
import RoostSQL

/// A driver of a database that has no characters but those of ASCII, as a server in another encoding than UTF-8 has not
/// all: it refuses any other text.
final class NarrowDriver: WrappingDriver {
    let driver: any SQLDriver

    /// Wraps a driver that has started.
    init(_ driver: any SQLDriver) { self.driver = driver }

    private func check(_ sql: SQL) throws {
        for case .text(let text) in sql.bindings where text.utf8.contains(where: { $0 >= 0x80 }) {
            throw DatabaseError.statement(code: "22P05", message: "character has no equivalent in encoding \"LATIN1\"")
        }
    }

    func run<State: Sendable>(
        _ statement: SQLStatement,
        into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        try check(statement.sql)
        return try await driver.run(statement, into: &state, each)
    }

    func batch(_ statements: [SQL], deadline: ContinuousClock.Instant) async throws {
        for statement in statements { try check(statement) }
        try await driver.batch(statements, deadline: deadline)
    }
}
