import Roost
import RoostSQL

/// A copy of the database that can only be read (`DATABASE_READ_URL`). It lags behind the primary by a moment, or by
/// more while it catches up.
///
/// A position in the primary's log of writes (PostgreSQL, 9.28.3) says how far a copy must have got to be of use: so
/// one who has just written reads that, however long the copy takes.
final class ReadReplica: Sendable {
    private let primary, copy: Database
    private let pause: CopyPause

    /// - Parameters:
    ///   - copy: It is given two seconds for a statement. If it fails, the primary is asked, and the copy is left alone
    ///     for five seconds.
    ///   - now: The clock of that time.
    init(
        of primary: Database, copy: Database, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.primary = primary
        self.copy = copy.with(timeout: .seconds(2))
        pause = CopyPause(.seconds(5), now: now)
    }

    private struct State: Decodable, Sendable {
        let position: Int
        let last_change: Int
    }

    /// Returns the primary's position in its log: a copy that has reached it has all that was committed until now.
    func position() async throws -> Int {
        try await primary.first("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint", as: Int.self) ?? 0
    }

    /// Reads from the copy: what says how far it has got and what is read come from one connection, since behind one
    /// address there may be several copies.
    /// - Parameters:
    ///   - position: The position that it must have reached.
    ///   - body: Gets a transaction on the copy, and the number of the last change of the list that is certain to be
    ///     in it.
    /// - Returns: Nil if the copy has not got so far, or fails: then read from the primary.
    func read<Value: Sendable>(
        from position: Int, _ body: (Transaction, Int) async throws -> Value
    ) async throws -> Value? {
        guard pause.mayTry() else { return nil }
        do {
            // Each statement sees what was there when it began, so the second no less than the first.
            let value: Value? = try await copy.transaction(isolation: .readCommitted) { transaction in
                let state = try await transaction.first(Self.state, as: State.self)
                guard let state, state.position >= position else { return nil }
                return try await body(transaction, state.last_change)
            }
            pause.succeeded()
            return value
        } catch let error as DatabaseError {
            // The copy has broken off a read that was in the way of its own work (SQLSTATE 40001): it works.
            if case .serializationFailure = error { pause.succeeded() } else { pause.failed() }
            return nil
        }
    }

    /// The URL may lead to a server that has become the primary, which replays nothing any more.
    private static let state: SQL = """
        SELECT pg_wal_lsn_diff(
            CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END, '0/0'
        )::bigint AS position, (SELECT last_id FROM topics WHERE name = 'users') AS last_change
        """
}
