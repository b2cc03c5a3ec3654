import Roost
import RoostSQL

/// A copy of the database that can only be read (`DATABASE_READ_URL`). It lags behind the primary by a moment, or by
/// more while it catches up.
///
/// A position in the primary's log of writes (PostgreSQL, 9.28.3) says how far a copy must have got to be of use: so
/// one who has just written reads that, however long the copy takes.
struct ReadReplica: Sendable {
    private let primary, copy: Database

    /// - Parameter copy: It is given two seconds for a statement: then the primary is asked.
    init(of primary: Database, copy: Database) {
        self.primary = primary
        self.copy = copy.with(timeout: .seconds(2))
    }

    private struct State: Decodable, Sendable {
        let position: Int
        let last_change: Int
    }

    /// How far the primary has got: a copy that has got as far has everything that was committed until now.
    func position() async throws -> Int {
        try await primary.first("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint", as: Int.self) ?? 0
    }

    /// Reads from the copy.
    /// - Parameters:
    ///   - position: How far it must have got.
    ///   - body: Gets the copy, and the number of the last change of the list that is certain to be in it.
    /// - Returns: Nil if the copy has not got so far, or fails: then read from the primary.
    func read<Value: Sendable>(
        from position: Int, _ body: (Database, Int) async throws -> Value
    ) async throws -> Value? {
        do {
            let state = try await copy.first(Self.state, as: State.self)
            guard let state, state.position >= position else { return nil }
            return try await body(copy, state.last_change)
        } catch is DatabaseError {
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
