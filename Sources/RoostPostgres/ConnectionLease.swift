import RoostSQL
import Synchronization

/// A connection that belongs to one transaction or cursor until it is given back. That happens exactly once, and only
/// when nothing runs on it any more, whatever its user still does with it.
final class ConnectionLease: Sendable {
    private let entry: PoolEntry<PostgresConnection>
    private let pool: ConnectionPool<PostgresConnection>
    private let state = Mutex(State.free)

    private enum State {
        case free
        case running
        /// The transaction has ended; or a result may still arrive, which would be taken for the next statement's.
        case failed
        /// It was to be given back while a statement ran on it; the end of that statement does so.
        case abandoned
        case ended
    }

    init(_ entry: PoolEntry<PostgresConnection>, _ pool: ConnectionPool<PostgresConnection>) {
        self.entry = entry
        self.pool = pool
    }

    /// A transaction that is never ended is undone.
    deinit { end() }

    /// Runs something on the connection, which can do one thing at a time.
    /// - Parameter isLast: Whether the connection is given back after this has succeeded.
    /// - Throws: Any error of the body; ``DatabaseError`` when the connection was given back before it or meanwhile.
    func run<Value>(isLast: Bool = false, _ body: (PostgresConnection) async throws -> Value) async throws -> Value {
        try begin()
        let value: Value
        do {
            value = try await body(entry.connection)
        } catch {
            let isUsable = entry.connection.isInTransaction && error as? DatabaseError != .endsTransaction
            settle(isUsable ? .free : .failed)
            throw error
        }
        guard settle(isLast ? .ended : .free) || isLast else { throw DatabaseError.transactionHasEnded }
        return value
    }

    /// Gives the connection back.
    func end() {
        if mayGiveBack() { pool.giveBack(entry) }
    }

    /// Gives the connection back, and returns when nothing of the transaction is left, unless a statement is running.
    func endRecovered() async {
        if mayGiveBack() { await pool.giveBackRecovered(entry) }
    }

    private func begin() throws(DatabaseError) {
        try state.withLock { state throws(DatabaseError) in
            switch state {
            case .free: state = .running
            case .running: throw .statement(code: "55000", message: "A transaction runs one statement at a time.")
            case .failed: throw .connectionLost("the transaction has ended after an earlier error.")
            case .abandoned, .ended: throw .transactionHasEnded
            }
        }
    }

    /// Updates the state after a statement; false when the connection was to be given back meanwhile.
    @discardableResult
    private func settle(_ next: State) -> Bool {
        let wasAbandoned = state.withLock { state in
            defer { state = state == .abandoned ? .ended : next }
            return state == .abandoned
        }
        if wasAbandoned || next == .ended { pool.giveBack(entry) }
        return !wasAbandoned
    }

    /// Whether the caller must give the connection back: true once, for the first who asks while nothing runs.
    private func mayGiveBack() -> Bool {
        state.withLock { state in
            switch state {
            case .free, .failed:
                state = .ended
                return true
            case .running: state = .abandoned
            case .abandoned, .ended: break
            }
            return false
        }
    }
}
