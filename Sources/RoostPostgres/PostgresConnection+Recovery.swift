internal import CPostgres
import RoostSQL

// A client that leaves must not cost a session. To open one takes the server longer than most statements, and so does a
// request to cancel. So a statement whose caller has left is waited for as if the caller were still there, and is
// cancelled only when it takes long.

extension PostgresConnection {
    /// The most bytes of a statement's result that are read before the server is asked to end it.
    private static var graceSize: Int { 1 << 20 }

    /// Makes the connection usable for the next caller: ends the statement under way, and undoes the transaction.
    /// - Returns: Whether that has worked, and it is not spent; otherwise the connection must be closed.
    func recover(_ canceller: Canceller) async -> Bool {
        guard !isBroken, PQstatus(handle) == CONNECTION_OK else { return false }
        do {
            let deadline = ContinuousClock.now + configuration.abandonment.patience
            // After a sync the server takes commands as usual, whatever it has dropped of the pipeline.
            let isPipeline = PQpipelineStatus(handle) != PQ_PIPELINE_OFF
            if isPipeline, PQpipelineSync(handle) != 1 { return false }
            if isPipeline || PQtransactionStatus(handle) == PQTRANS_ACTIVE {
                guard try await endStatement(canceller, until: deadline) else { return false }
            }
            reads = ReadQueue()
            if mayBeEnded {
                // The request may take effect late: this gives it something harmless to hit.
                _ = try? await run(";", until: deadline)
                mayBeEnded = false
            }
            if isInTransaction { try await run("ROLLBACK", until: deadline) }
            if isCacheInDoubt {
                statements.removeAll()
                try await run("DEALLOCATE ALL", until: deadline)
                isCacheInDoubt = false
            }
            return isIdle
        } catch {
            return false
        }
    }

    /// Waits for the end of the current statement, and asks the server to end it if that takes long.
    private func endStatement(_ canceller: Canceller, until deadline: ContinuousClock.Instant) async throws -> Bool {
        // In all: where the request has no effect, the rest of a large result would fill the memory.
        var budget = max(configuration.maximumResultSize, configuration.abandonedSize)
        repeat {
            if try await endsSoon(&budget) { return true }
            switch await canceller.cancel(self, within: ContinuousClock.now.duration(to: deadline)) {
            case .asked:
                mayBeEnded = true
                try await drain(until: deadline, &budget)
                return true
            case .busy: continue
            case .failed: return false
            }
        } while budget >= 0 && ContinuousClock.now < deadline
        return false
    }

    /// Waits for the reply to a change and, when that does not come in time, asks the server to end it: if it then
    /// answers with an error, nothing has changed.
    /// - Throws: ``DatabaseError``; `timeout` while the statement is still under way.
    func ending<Value: ~Copyable>(
        until deadline: ContinuousClock.Instant,
        _ wait: (ContinuousClock.Instant) async throws -> Value
    ) async throws -> Value {
        var next = deadline
        let end = deadline + configuration.abandonment.patience
        while true {
            do {
                return try await wait(next)
            } catch DatabaseError.timeout(let reason) where PQtransactionStatus(handle) == PQTRANS_ACTIVE {
                let patience = ContinuousClock.now.duration(to: end)
                guard let canceller, patience > .zero else { throw DatabaseError.timeout(reason) }
                switch await canceller.cancel(self, within: patience) {
                case .asked:
                    mayBeEnded = true
                    _ = try await wait(end)
                    // It is done, but the server may have left out its wait for a copy to have it, too.
                    throw DatabaseError.outcomeUnknown(reason)
                case .busy: next = min(end, .now + configuration.abandonment.grace)
                case .failed:
                    isBroken = true
                    throw DatabaseError.timeout(reason)
                }
            }
        }
    }

    private func endsSoon(_ budget: inout Int) async throws -> Bool {
        let most = min(Self.graceSize, budget)
        var rest = most
        defer { budget -= most - rest }
        do {
            try await drain(until: .now + configuration.abandonment.grace, &rest)
            return true
        } catch let error as DatabaseError {
            if case .timeout = error { return false }
            if error == tooLarge { return false }
            throw error
        }
    }

    /// Reads what arrives, up to the end of the statement or of the pipeline.
    private func drain(until deadline: ContinuousClock.Instant, _ budget: inout Int) async throws {
        var mayBeAtEnd = PQpipelineStatus(handle) == PQ_PIPELINE_OFF
        while true {
            while let result = try await nextResult(until: deadline, &budget) {
                try refuseCopy(result)
                mayBeAtEnd = mayBeAtEnd || result.status == PGRES_PIPELINE_SYNC
            }
            // This may be the end of an earlier pipeline, with another after it.
            if mayBeAtEnd, PQpipelineStatus(handle) == PQ_PIPELINE_OFF || PQexitPipelineMode(handle) == 1 { return }
        }
    }
}
