internal import CPostgres
import Glibc
import Logging
import Roost
import RoostSQL

// When libpq opens a session, it reads files, may load certificates, and computes for milliseconds (SCRAM). So each
// step runs on a thread of this module; the waits for the socket between them are on the event loop as usual.

extension PostgresConnection {
    /// Opens a session on the first of the hosts that accepts one.
    /// - Throws: ``DatabaseError/misconfigured(_:)`` if a host has refused in a way that lasts, otherwise
    ///   ``DatabaseError/unavailable(_:)`` with the last host's reason.
    static func open(
        _ parameters: ConnectionParameters,
        _ configuration: PostgresConfiguration,
        _ logger: Logger,
        _ warning: PasswordWarning = PasswordWarning()
    ) async throws -> PostgresConnection {
        let timeout = parameters.connectTimeout ?? configuration.connectTimeout
        var failure = DatabaseError.unavailable("The URL names no server.")
        for attempt in try await blocking({ parameters.attempts() }) {
            do {
                let deadline = ContinuousClock.now + timeout
                let connection = try await begin(attempt, configuration, logger)
                defer { warning.check(connection.handle, logger) }
                try await connection.finishOpening(attempt.name, until: deadline)
                try await connection.prepareSession(until: deadline)
                return connection
            } catch let error as DatabaseError {
                // The refusal of a server says more than the absence of another.
                if case .misconfigured = failure { continue }
                failure = error
            }
        }
        throw failure
    }

    private static func begin(
        _ parameters: ConnectionParameters,
        _ configuration: PostgresConfiguration,
        _ logger: Logger
    ) async throws -> PostgresConnection {
        try await blocking {
            guard let handle = start(parameters.values) else { throw DatabaseError.unavailable("No memory is left.") }
            return PostgresConnection(handle, configuration, logger)
        }
    }

    private static func start(_ values: [String: String]) -> OpaquePointer? {
        let values = values.map { (strdup($0.key), strdup($0.value)) }
        defer {
            for value in values {
                free(value.0)
                free(value.1)
            }
        }
        let keywords = values.map { UnsafePointer($0.0) } + [nil]
        let texts = values.map { UnsafePointer($0.1) } + [nil]
        return PQconnectStartParams(keywords, texts, 0)
    }

    private func finishOpening(_ name: String, until deadline: ContinuousClock.Instant) async throws {
        guard PQstatus(handle) != CONNECTION_BAD else { throw cannotOpen }
        // So that errors come with their codes.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        // As libpq's documentation says: begin as if it had asked to write.
        var step = PGRES_POLLING_WRITING
        while step != PGRES_POLLING_OK {
            guard step == PGRES_POLLING_READING || step == PGRES_POLLING_WRITING else { throw cannotOpen }
            let wanted: Readiness = step == PGRES_POLLING_READING ? [.readable] : [.writable]
            let ready = try await Self.ready(wanted, of: PQsocket(handle), until: deadline)
            if ready.isEmpty { throw DatabaseError.unavailable("PostgreSQL at \(name) does not respond.") }
            step = try await Self.blocking { PQconnectPoll(self.handle) }
        }
        PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        try finishOpening()
    }

    /// The encoding of the database if it has not all letters; nil for one that takes any text, and if the server does
    /// not tell it.
    var limitedEncoding: String? {
        guard let value = PQparameterStatus(handle, "server_encoding") else { return nil }
        let encoding = String(cString: value)
        return ["UTF8", "SQL_ASCII"].contains(encoding) ? nil : encoding
    }

    private var cannotOpen: DatabaseError {
        let message = DatabaseError.firstLine(PQerrorMessage(handle))
        return DatabaseError(opening: message, needsPassword: PQconnectionNeedsPassword(handle) == 1)
    }

    /// Sets the session's formats to those that this module reads, whatever the server's settings are.
    func setFormats(until deadline: ContinuousClock.Instant) async throws {
        // A pooler keeps these for each of its clients; the others must be the server's own.
        var settings = ["TimeZone = 'UTC'", "DateStyle = 'ISO, YMD'"]
        if !configuration.isPooled {
            settings += ["IntervalStyle = 'iso_8601'", "bytea_output = 'hex'", "extra_float_digits = 3"]
        }
        try await run(settings.map { "SET \($0);" }.joined(), until: deadline)
    }

    /// Sets the session's formats, and has the server end a statement when this program is gone.
    private func prepareSession(until deadline: ContinuousClock.Instant) async throws {
        try await setFormats(until: deadline)
        guard !configuration.isPooled else { return }
        let checks = [
            "client_connection_check_interval = '5s'", "tcp_keepalives_idle = 30", "tcp_keepalives_interval = 10",
            "tcp_keepalives_count = 3",
            // While a reply is not acknowledged, there is no keep-alive: TCP sends it again, for some 15 minutes.
            "tcp_user_timeout = '30s'",
        ]
        do {
            try await run(checks.map { "SET \($0);" }.joined(), until: deadline)
        } catch DatabaseError.statement {
            // A server before PostgreSQL 14: there, a statement ends when it has a result, which it cannot send.
        }
    }

    /// The threads for libpq's blocking work, which waits neither for the application's nor for the framework's other
    /// work, and may keep a thread for minutes. The limits of connections also bound the queue.
    private static let threads = BlockingPool(maximumThreads: 8, maximumQueue: .max)

    /// Runs blocking work of libpq on another thread.
    static func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await threads.run(work)
    }
}
