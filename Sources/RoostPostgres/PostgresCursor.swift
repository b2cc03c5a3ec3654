internal import CPostgres
import Roost
import RoostSQL
import Synchronization

/// A cursor on the server, in its own transaction. Rows that are not fetched are not sent, and each portion is a
/// statement with its own time limit.
final class PostgresCursor: SQLCursor {
    private let lease: ConnectionLease
    private let place: Places.Place
    /// The most rows that the next portion may have.
    private let most = Atomic(16)

    init(_ lease: ConnectionLease, _ place: Places.Place) { (self.lease, self.place) = (lease, place) }

    func fetch<State: Sendable>(
        atMost count: Int,
        deadline: ContinuousClock.Instant,
        into state: State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Void
    ) async throws -> (state: State, isAtEnd: Bool) {
        try await lease.run { connection in
            let count = max(1, min(count, most.load(ordering: .relaxed)))
            let portion = try await connection.fetch(count, until: deadline, into: state, each)
            most.store(portion.next, ordering: .relaxed)
            return (portion.state, portion.isAtEnd)
        }
    }

    /// Gives the connection back; the place is free when the cursor is let go of.
    func close() { lease.end() }
}

extension PostgresConnection {
    /// Begins a transaction and declares a cursor for a statement.
    func declareCursor(_ statement: SQLStatement) async throws {
        let deadline = statement.deadline
        let parameters = try StatementParameters(statement.sql.bindings)
        let text = "DECLARE roost_cursor NO SCROLL CURSOR FOR \(statement.sql.text)"
        guard !text.utf8.contains(0) else { throw DatabaseError.zeroInText }
        try await run("BEGIN", until: deadline)
        guard send(text: text, parameters) else { throw lost }
        _ = try await lastResult(until: deadline)
    }

    /// Reads a portion of rows.
    /// - Returns: Also the number of rows like these that are a good portion: as many as have a MiB, or less where
    ///   results must be small, so that those that come next may be much larger.
    fileprivate func fetch<State>(
        _ count: Int,
        until deadline: ContinuousClock.Instant,
        into state: State,
        _ each: (inout State, any SQLRow) throws -> Void
    ) async throws -> (state: State, isAtEnd: Bool, next: Int) {
        let result = try await run("FETCH FORWARD \(count) FROM roost_cursor", until: deadline)
        var state = state
        try Self.reduce(result, ResultColumns(result), into: &state) { state, row in
            try each(&state, row)
            return true
        }
        let size = max(1, PQresultMemorySize(result.handle) / max(1, Int(result.rowCount)))
        let next = max(1, min(1 << 20, configuration.maximumResultSize / 16) / size)
        return (state, result.rowCount < count, next)
    }
}
