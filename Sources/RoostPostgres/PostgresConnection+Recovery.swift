internal import CPostgres
import RoostSQL

extension PostgresConnection {
    /// How long the server has to end what it is asked to end; then the connection is closed instead.
    private static var patience: Duration { .seconds(5) }

    /// Makes the connection good for somebody else: ends the statement that is under way, and undoes the transaction.
    /// - Returns: Whether that has worked; otherwise the connection is to be closed.
    func recover(_ canceller: Canceller) async -> Bool {
        guard !isBroken, PQstatus(handle) == CONNECTION_OK, PQpipelineStatus(handle) == PQ_PIPELINE_OFF else {
            return false
        }
        do {
            let deadline = ContinuousClock.now + Self.patience
            if PQtransactionStatus(handle) == PQTRANS_ACTIVE {
                guard await canceller.cancel(self, within: Self.patience) else { return false }
                try await drain(until: deadline)
                // The request may strike late: something without effect, for it to strike.
                _ = try? await run(";", until: deadline)
            }
            if !isIdle { try await run("ROLLBACK", until: deadline) }
            return isIdle
        } catch {
            return false
        }
    }

    private func drain(until deadline: ContinuousClock.Instant) async throws {
        var budget = Int.max
        while let result = try await nextResult(until: deadline, &budget) {
            // There are as many of these as anybody asks for.
            if result.isCopy { throw DatabaseError.copy }
        }
    }
}
