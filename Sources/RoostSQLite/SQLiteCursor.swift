internal import RoostSQL
import Synchronization

/// A statement that is read in portions, on the thread of a lane.
final class SQLiteCursor: SQLCursor {
    private let lanes: StreamLanes
    private let lane: JobQueue
    private let key = StatementKey()
    private let isClosed = Atomic(false)

    /// Prepares the statement. A cursor that fails to begin gives its thread back as one that ends does: when it is
    /// released.
    init(_ statement: SQLStatement, on lanes: StreamLanes) async throws {
        self.lanes = lanes
        lane = try lanes.take()
        try await SQLiteWork(deadline: statement.deadline) { [key] connection in
            let prepared = try connection.prepare(statement.sql)
            guard !prepared.controlsTransaction else { throw DatabaseError.transactionControl }
            guard prepared.isReadOnly else {
                throw DatabaseError.statement(
                    code: "stream", message: "Only a statement that changes nothing can be streamed.")
            }
            try prepared.bind(statement.sql.bindings)
            connection.keepOpen(prepared, as: key)
        }.run(lane.put)
    }

    func fetch<State: Sendable>(
        atMost count: Int,
        deadline: ContinuousClock.Instant,
        into state: State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Void
    ) async throws -> (state: State, isAtEnd: Bool) {
        try await SQLiteWork(deadline: deadline) { [key] connection in
            guard let statement = connection.openStatement(key) else {
                throw DatabaseError.connectionLost("the stream has been closed, or its connection was.")
            }
            var state = state
            for _ in 0..<count {
                guard try statement.step() else { return (state, true) }
                try each(&state, statement)
            }
            return (state, false)
        }.run(lane.put)
    }

    func close() {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        let job = SQLiteWork(deadline: .now + .seconds(86_400)) { [key] in $0.letGo(of: key) }
        // A closed queue refuses it: its thread closes the connection, and the statement with it.
        _ = lane.putBeyondLimit(job)
        lanes.giveBack(lane)
    }

    deinit { close() }
}

/// The key by which a cursor's jobs find its statement, which the connection keeps. So releasing the last reference to
/// a cursor, on whatever thread, does not end a statement there.
final class StatementKey: Sendable {}
