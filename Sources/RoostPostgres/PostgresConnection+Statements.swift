internal import CPostgres
import Roost
import RoostSQL

extension PostgresConnection {
    /// Runs a statement and reduces its rows.
    /// - Throws: ``DatabaseError``, also for a statement that ends the transaction around it; any error of `each`.
    func run<State: Sendable>(
        _ statement: SQLStatement,
        into state: inout State,
        _ each: (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        let deadline = statement.deadline
        let parameters = try StatementParameters(statement.sql.bindings)
        let isInTransaction = isInTransaction
        let commits = !isInTransaction && statement.sql.takesEffect
        let known = statements.find(statement.sql.text)
        // A prepared statement has been checked already.
        if known == nil { try Self.refuseTransactionControl(statement.sql.text) }
        var entry = known
        let result: PostgresResult
        do {
            entry = try await send(statement.sql.text, known, parameters, until: deadline)
            result = try await timed(entry) { try await reply(commits, statement.sql, until: deadline) }
        } catch let error as DatabaseError where error.mayBeStale(statement.sql) {
            // The server may refuse a statement because a table has changed since it was prepared.
            guard let known else { throw error }
            // What is no single transaction may have committed something before it failed.
            guard isIdle, statement.sql.isAtomic || error.isRefusal else {
                // The transaction has failed, but the next one prepares the statement again.
                if error.isStalePlan { statements.remove(known) } else { statements.retire(statement.sql.text) }
                throw error.isRefusal && statement.sql.isAtomic ? DatabaseError.tableHasChanged : error
            }
            // Nothing has happened, so it is safe to run it again.
            if error.isStalePlan {
                statements.removeAll()
                try await run("DEALLOCATE ALL", until: deadline)
            } else {
                statements.retire(statement.sql.text)
            }
            entry = try await send(statement.sql.text, nil, parameters, until: deadline)
            result = try await reply(commits, statement.sql, until: deadline)
        }
        if isInTransaction, endsTransaction(result, statement.sql.text) { throw DatabaseError.endsTransaction }
        try Self.reduce(result, columns(of: result, entry), into: &state, each)
        return SQLOutcome(changes: result.changes)
    }

    /// Notes whether a statement takes long, also when its reply does not come in time.
    func timed(
        _ entry: StatementCache.Entry?, _ reply: () async throws -> PostgresResult
    ) async throws -> PostgresResult {
        let begin = ContinuousClock.now
        // Without a reply, it can only turn out to take long.
        var mayBeQuick = entry?.isQuick ?? false
        defer { entry?.isQuick = mayBeQuick && begin.duration(to: .now) < configuration.quick }
        let result = try await reply()
        mayBeQuick = true
        return result
    }

    private func reply(
        _ commits: Bool, _ sql: SQL, until deadline: ContinuousClock.Instant
    ) async throws -> PostgresResult {
        guard commits else { return try await lastResult(until: deadline) }
        guard sql.isAtomic else { return try await committing { try await lastResult(until: deadline) } }
        return try await committing { try await ending(until: deadline) { try await lastResult(until: $0) } }
    }

    /// - Throws: ``DatabaseError`` for a statement that begins or ends a transaction: it must not reach the server.
    static func refuseTransactionControl(_ text: String) throws(DatabaseError) {
        if StatementKind(text, in: .postgresql) == .transactionControl { throw .transactionControl }
    }

    /// Whether a statement that was not recognised has ended the transaction around it, judged by the server's reply.
    /// Another transaction may have begun (`AND CHAIN`).
    private func endsTransaction(_ result: borrowing PostgresResult, _ text: String) -> Bool {
        guard isInTransaction else { return true }
        return result.isEndOrReturn && StatementKind(text, in: .postgresql) != .savepoint
    }

    /// Calls `each` for each row until it returns false.
    static func reduce<State>(
        _ result: borrowing PostgresResult,
        _ columns: ResultColumns,
        into state: inout State,
        _ each: (inout State, any SQLRow) throws -> Bool
    ) throws {
        let count = result.rowCount
        guard count > 0 else { return }
        let row = PostgresRow(result, columns)
        while row.index < count {
            guard try each(&state, row) else { return }
            row.index += 1
        }
    }

    func columns(of result: borrowing PostgresResult, _ entry: StatementCache.Entry?) -> ResultColumns {
        if let columns = entry?.columns { return columns }
        let columns = ResultColumns(result)
        entry?.columns = columns
        return columns
    }

    /// Sends a statement that is already prepared, or prepares it first.
    private func send(
        _ text: String,
        _ known: StatementCache.Entry?,
        _ parameters: StatementParameters,
        until deadline: ContinuousClock.Instant
    ) async throws -> StatementCache.Entry? {
        // In a failed transaction the server refuses what makes room for another prepared statement, and takes little
        // more than the return to a savepoint.
        let isPrepared = statements.capacity > 0 && PQtransactionStatus(handle) != PQTRANS_INERROR
        guard known != nil || isPrepared else {
            guard !text.utf8.contains(0) else { throw DatabaseError.zeroInText }
            guard send(text: text, parameters) else { throw lost }
            return nil
        }
        let entry = if let known { known } else { try await prepare(text, until: deadline) }
        guard send(entry, parameters) else { throw lost }
        return entry
    }

    private func prepare(
        _ text: String,
        until deadline: ContinuousClock.Instant
    ) async throws -> StatementCache.Entry {
        guard !text.utf8.contains(0) else { throw DatabaseError.zeroInText }
        isCacheInDoubt = true
        // Once a reply has arrived, even an error, there is no doubt.
        defer { isCacheInDoubt = PQtransactionStatus(handle) == PQTRANS_ACTIVE }
        if let oldest = statements.evict() { try await run("DEALLOCATE \(oldest.name)", until: deadline) }
        let entry = StatementCache.Entry(name: statements.newName(), text: text)
        guard PQsendPrepare(handle, entry.name, text, 0, nil) == 1 else { throw lost }
        _ = try await lastResult(until: deadline)
        statements.insert(entry)
        return entry
    }

    /// Sends a prepared statement; false when that fails.
    func send(_ entry: StatementCache.Entry, _ parameters: StatementParameters) -> Bool {
        parameters.with { PQsendQueryPrepared(handle, entry.cName, $0, $1, $2, $3, 0) == 1 }
    }

    /// Sends a statement that is not prepared; false when that fails.
    func send(text: String, _ parameters: StatementParameters) -> Bool {
        parameters.with { PQsendQueryParams(handle, text, $0, nil, $1, $2, $3, 0) == 1 }
    }
}

// A change that the server commits by itself once it has been sent may take effect whatever becomes of the connection,
// and of whoever waits for the reply. So its caller waits for that even when the task is cancelled (`toTheEnd` in
// `PostgresDriver.run`), at most until its deadline and the time that the server has to end it, and where no reply
// comes, the error says that nobody knows.

extension PostgresConnection {
    /// Commits the transaction.
    /// - Returns: The server's tag, which is `ROLLBACK` if a statement of it had failed.
    func commit(until deadline: ContinuousClock.Instant) async throws -> String {
        // What the server has ended before is not committed, and that is certain.
        guard isAliveInTransaction() else {
            throw DatabaseError.connectionLost("the transaction had ended before its commit.")
        }
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
        } catch let error where error is EventLoopEnded || error as? DatabaseError == tooLarge {
            throw DatabaseError.outcomeUnknown("\(error)")
        }
    }
}

extension SQL {
    /// Whether all of it takes effect, or nothing: certainly for rows. Others may commit in their middle, as `CALL`,
    /// `DO` and `VACUUM` do.
    var isAtomic: Bool { [.query, .change].contains(StatementKind(text, in: .postgresql)) }

    /// Whether it may take effect outside a transaction, judged by its words; `SELECT … INTO` makes a table. A function
    /// that a `SELECT` calls may change something too, which words do not tell.
    var takesEffect: Bool {
        StatementKind(text, in: .postgresql) != .query || changesRows || contains(word: "INTO")
    }
}
