internal import CPostgres
import RoostSQL

// A change that the server commits by itself once it has been sent may take effect whatever becomes of the connection,
// and of whoever waits for the reply. So the drivers' user waits for it even when the task is cancelled
// (`BackgroundTask.value`), at most until its deadline, and where no reply comes, the error says that nobody knows.

extension PostgresConnection {
    /// Commits the transaction.
    /// - Returns: The server's tag, which is `ROLLBACK` if a statement of it had failed.
    func commit(until deadline: ContinuousClock.Instant) async throws -> String {
        guard PQsendQuery(handle, "COMMIT") == 1 else { throw lost }
        do {
            return try await committing { try await lastResult(until: deadline).command }
        } catch DatabaseError.outcomeUnknown(let reason) {
            // It goes on by itself. To make the connection usable again would mean to ask the server to end it.
            isBroken = true
            throw DatabaseError.outcomeUnknown(reason)
        }
    }

    /// Waits for the reply to something that the server commits by itself once it has been sent.
    /// - Throws: ``DatabaseError/outcomeUnknown(_:)`` when none comes; otherwise what the server says.
    func committing<Value: ~Copyable>(_ wait: () async throws -> Value) async throws -> Value {
        do {
            return try await wait()
        } catch DatabaseError.connectionLost(let reason) {
            throw DatabaseError.outcomeUnknown(reason)
        } catch DatabaseError.timeout(let reason) where PQtransactionStatus(handle) == PQTRANS_ACTIVE {
            // Otherwise the server has ended it.
            throw DatabaseError.outcomeUnknown(reason)
        }
    }
}

extension SQL {
    /// Whether it may take effect outside a transaction, judged by its words. A function that a `SELECT` calls may
    /// change something too, which words do not tell.
    var takesEffect: Bool { StatementKind(text, in: .postgresql) != .query || changesRows }
}
