internal import CPostgres
import RoostSQL

// libpq's pipeline mode (PostgreSQL, 34.5): statements are sent without waiting for the results of earlier ones. Both
// directions must make progress at the same time: a server whose results nobody reads stops reading.

/// The progress of a pipeline.
private struct Pipeline {
    /// The statements prepared on the way, to be forgotten if preparing them fails.
    var prepared: [StatementCache.Entry] = []
    /// The number of times that each text occurs in the batch; one that occurs once is not worth preparing.
    var uses: [String: Int]
    var failure: DatabaseError?
    var isAtEnd = false
    /// The number of statements that ended the transaction, or returned to a savepoint, which has no use here.
    var ends = 0
    /// Whether the end of one statement's results was the last thing that arrived.
    var isBetween = false
}

extension PostgresConnection {
    /// Runs statements in one transaction, with as few round trips as the sockets' buffers allow.
    func batch(_ list: [SQL], until deadline: ContinuousClock.Instant) async throws {
        // A statement that cannot be sent is refused here: in the middle of a pipeline it would cost the connection.
        let parameters = try list.map { sql in
            guard !sql.text.utf8.contains(0) else { throw DatabaseError.zeroInText }
            try Self.refuseTransactionControl(sql.text)
            return try StatementParameters(sql.bindings)
        }
        guard PQenterPipelineMode(handle) == 1 else { throw lost }
        var pipeline = Pipeline(uses: list.reduce(into: [:]) { $0[$1.text, default: 0] += 1 })
        let none = try StatementParameters([])
        try await send("BEGIN", none, to: &pipeline, until: deadline)
        for (sql, parameters) in zip(list, parameters) where pipeline.failure == nil {
            try await send(sql.text, parameters, to: &pipeline, until: deadline)
        }
        try await committing {
            try await send("COMMIT", none, to: &pipeline, until: deadline)
            guard PQpipelineSync(handle) == 1 else { throw lost }
            try await ending(until: deadline) {
                while !pipeline.isAtEnd { try await advance(&pipeline, until: $0) }
                guard PQexitPipelineMode(handle) == 1 else { throw lost }
                // The answer to a request to end it.
                if mayBeEnded, let failure = pipeline.failure { throw failure }
            }
        }
        guard let failure = pipeline.failure else {
            // One of these is the COMMIT above.
            isCacheInDoubt = false
            if pipeline.ends > 1 { throw DatabaseError.endsTransaction }
            return
        }
        for entry in pipeline.prepared { statements.remove(entry) }
        // It is not known which one the server refuses.
        if list.contains(where: failure.mayBeStale) { isCacheInDoubt = true }
        // `EXECUTE` fails with that code for a name of the program's own.
        throw failure.isRefusal && list.allSatisfy(\.isAtomic) ? DatabaseError.tableHasChanged : failure
    }

    private func send(
        _ text: String,
        _ parameters: StatementParameters,
        to pipeline: inout Pipeline,
        until deadline: ContinuousClock.Instant
    ) async throws {
        let entry = statements.find(text) ?? prepare(text, in: &pipeline)
        let isSent = entry.map { send($0, parameters) } ?? send(text: text, parameters)
        guard isSent else { throw lost }
        // Bytes that the socket does not take stay in libpq's memory, so nothing more is added to them.
        while pipeline.failure == nil, PQflush(handle) == 1 { try await advance(&pipeline, until: deadline) }
    }

    /// Prepares a statement that occurs more than once, as long as there is room for it.
    private func prepare(_ text: String, in pipeline: inout Pipeline) -> StatementCache.Entry? {
        guard pipeline.uses[text, default: 0] > 1, statements.hasRoom else { return nil }
        let entry = StatementCache.Entry(name: statements.newName(), text: text)
        guard PQsendPrepare(handle, entry.name, text, 0, nil) == 1 else { return nil }
        statements.insert(entry)
        pipeline.prepared.append(entry)
        // When a statement fails or the caller gives up, some may be prepared and others not.
        isCacheInDoubt = true
        return entry
    }

    /// Reads what has arrived, or waits until something can be sent or read.
    private func advance(_ pipeline: inout Pipeline, until deadline: ContinuousClock.Instant) async throws {
        if PQisBusy(handle) == 1 { return try await exchange(until: deadline) }
        guard let result = PQgetResult(handle).map({ PostgresResult($0) }) else {
            // A nil ends each statement's results; two in a row mean that nothing has arrived.
            if pipeline.isBetween { try await exchange(until: deadline) }
            pipeline.isBetween = true
            return
        }
        pipeline.isBetween = false
        try refuseCopy(result)
        switch result.status {
        case PGRES_PIPELINE_SYNC: pipeline.isAtEnd = true
        case PGRES_COMMAND_OK: if result.isEndOrReturn { pipeline.ends += 1 }
        case PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_PIPELINE_ABORTED: break
        default: pipeline.failure = pipeline.failure ?? error(of: result)
        }
        guard PQstatus(handle) == CONNECTION_OK else { throw pipeline.failure ?? lost }
    }
}
