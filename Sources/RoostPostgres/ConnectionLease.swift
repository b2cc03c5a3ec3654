import RoostSQL
import Synchronization

/// A connection that a transaction or a cursor has to itself until it lets it go: once, and when nothing runs on it any
/// more, whatever its user still does with it.
final class ConnectionLease: Sendable {
    private let entry: PoolEntry<PostgresConnection>
    private let pool: ConnectionPool<PostgresConnection>
    private let state = Mutex(State.free)

    private enum State {
        case free
        case running
        /// The transaction is over; or an answer may still come, which would be taken for the next statement's.
        case failed
        /// It was to be let go while something ran on it, whose end does that.
        case abandoned
        case ended
    }

    init(_ entry: PoolEntry<PostgresConnection>, _ pool: ConnectionPool<PostgresConnection>) {
        self.entry = entry
        self.pool = pool
    }

    /// Whoever forgets to end the transaction undoes it.
    deinit { end() }

    /// Runs something on the connection, which does one thing at a time.
    /// - Parameter isLast: Whether the connection is let go when that has succeeded.
    /// - Throws: What the body throws; ``DatabaseError`` when the connection has been let go before or meanwhile.
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
        guard settle(isLast ? .ended : .free) || isLast else { throw Self.over }
        return value
    }

    /// Lets the connection go.
    func end() {
        if mayGiveBack() { pool.giveBack(entry) }
    }

    /// Lets the connection go, and returns when nothing of the transaction is left, unless something runs in it.
    func endRecovered() async {
        if mayGiveBack() { await pool.giveBackRecovered(entry) }
    }

    private static let over = DatabaseError.statement(code: "25P01", message: "The transaction has ended.")

    private func begin() throws(DatabaseError) {
        try state.withLock { state throws(DatabaseError) in
            switch state {
            case .free: state = .running
            case .running: throw .statement(code: "55000", message: "A transaction runs one statement at a time.")
            case .failed: throw .connectionLost("the transaction has ended after an earlier error.")
            case .abandoned, .ended: throw Self.over
            }
        }
    }

    /// What follows a statement; false when the connection was to be let go meanwhile.
    @discardableResult
    private func settle(_ next: State) -> Bool {
        let wasAbandoned = state.withLock { state in
            defer { state = state == .abandoned ? .ended : next }
            return state == .abandoned
        }
        if wasAbandoned || next == .ended { pool.giveBack(entry) }
        return !wasAbandoned
    }

    /// Whether the caller is to give the connection back: the first who asks, while nothing runs.
    private func mayGiveBack() -> Bool {
        state.withLock { state in
            switch state {
            case .free, .failed: state = .ended
            case .running:
                state = .abandoned
                return false
            case .abandoned, .ended: return false
            }
            return true
        }
    }
}
