import RoostSQL
import Synchronization

/// A transaction that has a connection to itself.
final class PostgresTransaction: SQLDriverTransaction {
    private let entry: PoolEntry<PostgresConnection>
    private let pool: ConnectionPool<PostgresConnection>
    private let state = Mutex(State.free)

    private enum State {
        case free, running, failed, ended
    }

    init(_ entry: PoolEntry<PostgresConnection>, _ pool: ConnectionPool<PostgresConnection>) {
        self.entry = entry
        self.pool = pool
    }

    /// Whoever forgets to end it undoes it.
    deinit {
        if state.withLock({ $0 != .ended }) { pool.giveBack(entry) }
    }

    func run<Value: Sendable>(
        _ statement: SQLStatement,
        into state: Value,
        _ each: @escaping @Sendable (inout Value, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome<Value> {
        try await alone { try await $0.run(statement, into: state, each) }
    }

    func run(script: String, deadline: ContinuousClock.Instant) async throws {
        try await alone { connection in
            try await connection.limitStatements(until: deadline)
            try await connection.run(script, until: deadline)
        }
    }

    func commit(deadline: ContinuousClock.Instant) async throws {
        let command = try await alone { try await $0.run("COMMIT", until: deadline).command }
        end()
        // What failed and was caught in the middle has ended the transaction for PostgreSQL.
        guard command == "COMMIT" else {
            throw DatabaseError.statement(
                code: "25P02",
                message: "A statement of the transaction had failed, so that nothing was committed."
            )
        }
    }

    func rollBack() async {
        let isOpen = state.withLock { state in
            defer { state = .ended }
            return state != .ended
        }
        if isOpen { await pool.giveBackRecovered(entry) }
    }

    private func end() {
        state.withLock { $0 = .ended }
        pool.giveBack(entry)
    }

    /// A connection runs one statement at a time.
    private func alone<Value>(_ body: (PostgresConnection) async throws -> Value) async throws -> Value {
        try state.withLock { state throws(DatabaseError) in
            switch state {
            case .free: state = .running
            case .running: throw .statement(code: "55000", message: "A transaction runs one statement at a time.")
            case .failed: throw .connectionLost("the transaction has been undone after an earlier error.")
            case .ended: throw .statement(code: "25P01", message: "The transaction has ended.")
            }
        }
        do {
            let value = try await body(entry.connection)
            state.withLock { $0 = .free }
            return value
        } catch {
            // An answer that is still to come would be taken for the next statement's.
            let isUsable = entry.connection.isBetweenStatements
            state.withLock { $0 = isUsable ? .free : .failed }
            throw error
        }
    }
}
