import Roost
import RoostSQL

/// A transaction that has a connection to itself.
final class PostgresTransaction: SQLDriverTransaction {
    private let lease: ConnectionLease

    init(_ lease: ConnectionLease) { self.lease = lease }

    func run<Value: Sendable>(
        _ statement: SQLStatement,
        into state: inout Value,
        _ each: @escaping @Sendable (inout Value, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        try await lease.run { try await $0.run(statement, into: &state, each) }
    }

    func run(script: String, deadline: ContinuousClock.Instant) async throws {
        // Only the server knows where the statements after the first one begin.
        if StatementKind(script, in: .postgresql) == .transactionControl {
            throw DatabaseError.transactionControlInScript
        }
        try await lease.run { connection in
            // It may set more for the session than can be undone in a transaction.
            connection.isSpent = true
            // Releasing this savepoint shows whether it is still the same transaction.
            try await connection.run("SAVEPOINT roost_script", until: deadline)
            try await connection.run(script, until: deadline)
            do {
                try await connection.run("RELEASE roost_script", until: deadline)
            } catch DatabaseError.statement { throw DatabaseError.endsTransaction }
            // Otherwise the rest of the transaction would run as another role, or find another schema's tables; behind
            // a pooler, so would the session's next user.
            var reset = "RESET SESSION AUTHORIZATION; RESET ROLE; RESET ALL"
            // Temporary tables end with the session, but a pooler keeps that. Those with a cursor, or with constraints
            // that are still to be checked, cannot be dropped.
            if connection.configuration.isPooled { reset += "; CLOSE ALL; SET CONSTRAINTS ALL IMMEDIATE; DISCARD TEMP" }
            try await connection.run(reset, until: deadline)
            try await connection.setFormats(until: deadline)
        }
    }

    func commit(deadline: ContinuousClock.Instant) async throws {
        let command = try await toTheEnd { [lease] in
            try await lease.run(isLast: true) { try await $0.commit(until: deadline) }
        }
        // If a statement has failed, even if its error was caught, PostgreSQL answers COMMIT with ROLLBACK.
        guard command == "COMMIT" else {
            throw DatabaseError.statement(
                code: "25P02",
                message: "A statement of the transaction had failed, so nothing was committed."
            )
        }
    }

    func rollBack() async { await lease.endRecovered() }
}
