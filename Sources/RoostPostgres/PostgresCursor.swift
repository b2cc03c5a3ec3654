import Roost
import RoostSQL

/// A cursor on the server, in its own transaction. Rows that are not fetched are not sent, and each portion is a
/// statement with its own time limit.
final class PostgresCursor: SQLCursor {
    private let lease: ConnectionLease
    private let place: Places.Place

    init(_ lease: ConnectionLease, _ place: Places.Place) { (self.lease, self.place) = (lease, place) }

    func fetch<State: Sendable>(
        atMost count: Int,
        deadline: ContinuousClock.Instant,
        into state: State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Void
    ) async throws -> (state: State, isAtEnd: Bool) {
        try await lease.run { connection in
            return try await connection.fetch(count, until: deadline, into: state, each)
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

    fileprivate func fetch<State>(
        _ count: Int,
        until deadline: ContinuousClock.Instant,
        into state: State,
        _ each: (inout State, any SQLRow) throws -> Void
    ) async throws -> (state: State, isAtEnd: Bool) {
        let result = try await run("FETCH FORWARD \(max(1, count)) FROM roost_cursor", until: deadline)
        var state = state
        try Self.read(result, ResultColumns(result), into: &state) { state, row in
            try each(&state, row)
            return true
        }
        return (state, result.rowCount < count)
    }
}
