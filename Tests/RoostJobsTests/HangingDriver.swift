import Engines
import Roost
import RoostSQL
import RoostTesting
import Synchronization

/// A driver that remembers its statements, and some of whose statements hang, like those that a server has and does not
/// respond to: not even the end of their tasks ends them.
final class HangingDriver: WrappingDriver {
    struct Statement {
        let text: String
        let deadline: ContinuousClock.Instant
        /// The number of rows that it has changed.
        let changes: Int
    }

    /// Opens when a statement hangs.
    let hasHung = Latch()
    private let never = Latch()
    let driver: any SQLDriver
    private let hangs: @Sendable (String) -> Bool
    private let log = Mutex<[Statement]>([])

    /// Wraps a driver that has started.
    init(_ driver: any SQLDriver, hangs: @escaping @Sendable (String) -> Bool = { _ in false }) {
        (self.driver, self.hangs) = (driver, hangs)
    }

    var statements: [Statement] { log.withLock { $0 } }

    /// As long as a busy machine takes.
    private var patience: ContinuousClock.Instant { .now + .seconds(3600) }

    private func hang(_ text: String) async throws {
        guard hangs(text) else { return }
        hasHung.open()
        try await toTheEnd { [never] in await never.wait() }
    }

    func run<State: Sendable>(
        _ statement: SQLStatement,
        into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        let (text, deadline) = (statement.sql.text, statement.deadline)
        try await hang(text)
        let patient = SQLStatement(statement.sql, isQuery: statement.isQuery, deadline: patience)
        let outcome = try await driver.run(patient, into: &state, each)
        log.withLock { $0.append(Statement(text: text, deadline: deadline, changes: outcome.changes)) }
        return outcome
    }

    func begin(_ isolation: SQLIsolation, deadline: ContinuousClock.Instant) async throws -> any SQLDriverTransaction {
        try await hang("BEGIN")
        return try await driver.begin(isolation, deadline: patience)
    }

    func batch(_ statements: [SQL], deadline: ContinuousClock.Instant) async throws {
        for statement in statements { try await hang(statement.text) }
        try await driver.batch(statements, deadline: patience)
        log.withLock { log in
            log += statements.map { Statement(text: $0.text, deadline: deadline, changes: 0) }
        }
    }
}
