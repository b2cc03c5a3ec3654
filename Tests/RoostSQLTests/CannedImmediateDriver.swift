import Roost
import RoostSQL
import Synchronization

/// A driver without an engine that runs queries in place, or gives them up after the first row.
final class CannedImmediateDriver: SQLImmediateDriver {
    /// The driver that runs the same statements with waiting.
    let canned: CannedDriver
    private let canRun: Bool
    let tries = Atomic(0)

    init(_ columns: [String], _ rows: [[SQLValue]], canRun: Bool) {
        canned = CannedDriver(columns, rows)
        self.canRun = canRun
    }

    var dialect: SQLDialect { canned.dialect }

    func runWithoutWaiting(_ statement: SQLStatement, _ each: (any SQLRow) throws -> Bool) throws -> Bool {
        tries.add(1, ordering: .relaxed)
        for row in canned.rows {
            let goesOn = try each(CannedRow(canned.columns, row))
            if !canRun { return false }
            if !goesOn { break }
        }
        return true
    }

    func run<State: Sendable>(
        _ statement: SQLStatement,
        into state: State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome<State> {
        try await canned.run(statement, into: state, each)
    }

    func begin(_ isolation: SQLIsolation, deadline: ContinuousClock.Instant) async throws -> any SQLDriverTransaction {
        try await canned.begin(isolation, deadline: deadline)
    }

    func batch(_ statements: [SQL], deadline: ContinuousClock.Instant) async throws {
        try await canned.batch(statements, deadline: deadline)
    }

    func open(_ statement: SQLStatement) async throws -> any SQLCursor { try await canned.open(statement) }

    func start() async throws {}
    func stop() async {}
}
