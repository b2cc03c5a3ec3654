import CoreMetrics
import Logging

/// Runs the statements of ``Database`` and ``Transaction``, with the limits, decoding and logging that both share.
struct StatementRunner: Sendable {
    let runner: any SQLRunner
    var configuration: DatabaseConfiguration
    let logger: Logger
    let now: @Sendable () -> ContinuousClock.Instant
    /// Gets the time of every statement; nil where nobody measures.
    let timer: Timer?

    var deadline: ContinuousClock.Instant { now() + configuration.timeout }

    /// Runs a query and reduces its rows.
    func read<State: Sendable>(
        _ sql: SQL, into state: State, _ each: @escaping @Sendable (inout State, inout SQLColumns) throws -> Bool
    ) async throws -> State {
        let naming = configuration.columnNames
        return try await run(sql, isQuery: true, into: state) { state, row in
            var columns = SQLColumns(row, naming)
            return try each(&state, &columns)
        }.state
    }

    /// Runs a statement whose rows nobody wants.
    func execute(_ sql: SQL) async throws -> SQLOutcome<Void> {
        try await run(sql, isQuery: false, into: ()) { _, _ in true }
    }

    private func run<State: Sendable>(
        _ sql: SQL, isQuery: Bool, into state: State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome<State> {
        try sql.check()
        return try await timed(sql.text) { deadline in
            try await runner.run(SQLStatement(sql, isQuery: isQuery, deadline: deadline), into: state, each)
        }
    }

    /// Does something by a deadline, and logs it.
    func timed<Value: Sendable>(
        _ text: String, _ body: (ContinuousClock.Instant) async throws -> Value
    ) async throws -> Value {
        guard configuration.timeout > .zero else {
            throw DatabaseError.timeout("the statement waited too long for its turn.")
        }
        let start = now()
        do {
            let value = try await body(start + configuration.timeout)
            log(text, since: start)
            return value
        } catch {
            log(text, since: start, error)
            throw error
        }
    }

    /// Logs one line for a statement, without its values, which may be secrets.
    private func log(_ text: String, since start: ContinuousClock.Instant, _ error: (any Error)? = nil) {
        let level = logger.logLevel
        guard timer != nil || level <= .warning else { return }
        let duration = now() - start
        let (seconds, attoseconds) = duration.components
        timer?.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        let isSlow = duration >= configuration.slowQuery
        guard isSlow || level <= .debug else { return }
        let outcome = error.map { ": \($0)" } ?? ""
        let line = "\(Self.milliseconds(duration)) ms \(Self.oneLine(text))\(outcome)"
        if isSlow { logger.warning("Slow SQL: \(line)") } else { logger.debug("SQL: \(line)") }
    }

    /// A timer for a database, if there is a back end for it.
    static func timer(_ dialect: SQLDialect, _ name: String) -> Timer? {
        let factory = MetricsSystem.factory
        guard !(factory is NOOPMetricsHandler) else { return nil }
        return Timer(
            label: "db_client_operation_duration_seconds",
            dimensions: [("db_system_name", dialect.rawValue), ("db_namespace", name)],
            factory: factory)
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// The text without line breaks, cut to 500 characters.
    private static func oneLine(_ text: String) -> String {
        let words = text.prefix(500).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return String(words.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
}

extension SQL {
    /// - Throws: ``DatabaseError/invalidValue(_:)`` when a value could not be bound.
    func check() throws(DatabaseError) {
        if let problem { throw .invalidValue(problem) }
    }
}
