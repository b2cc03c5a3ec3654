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

    func query<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> [Row] {
        let limit = configuration.maximumRows
        let naming = configuration.columnNames
        return try await run(sql, isQuery: true, into: [Row]()) { rows, row in
            guard rows.count < limit else { throw DatabaseError.tooManyRows(limit: limit) }
            rows.append(try RowDecoder.decode(type, from: row, naming))
            return true
        }.state
    }

    func first<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> Row? {
        let naming = configuration.columnNames
        return try await run(sql, isQuery: true, into: Row?.none) { first, row in
            first = try RowDecoder.decode(type, from: row, naming)
            return false
        }.state
    }

    /// Runs a query in place, and logs it if it was run.
    func runWithoutWaiting(
        _ sql: SQL, on driver: any SQLImmediateDriver, _ each: (inout SQLColumns) throws -> Bool
    ) throws -> Bool {
        try sql.check()
        // A statement that has no time at all fails with a timeout in the driver's queue.
        guard configuration.timeout > .zero else { return false }
        let start = now()
        let statement = SQLStatement(sql, isQuery: true, deadline: start + configuration.timeout)
        let naming = configuration.columnNames
        do {
            var columns: SQLColumns?
            let isDone = try driver.runWithoutWaiting(statement) { row in
                if columns?.begin(row) == nil { columns = SQLColumns(row, naming) }
                return try columns?.pass(to: each) ?? false
            }
            if isDone { log(sql.text, since: start) }
            return isDone
        } catch {
            log(sql.text, since: start, error)
            throw error
        }
    }

    func execute(_ sql: SQL) async throws -> Int { try await outcome(sql).changes }

    /// Runs an `INSERT` on an engine that says which id the row has got.
    func insert(_ sql: SQL) async throws -> Int? {
        try await outcome(sql).insertedID.flatMap { Int(exactly: $0) }
    }

    private func outcome(_ sql: SQL) async throws -> SQLOutcome<Void> {
        try sql.check()
        let start = now()
        let statement = SQLStatement(sql, isQuery: false, deadline: start + configuration.timeout)
        do {
            let outcome = try await runner.execute(statement)
            log(sql.text, since: start)
            return outcome
        } catch {
            log(sql.text, since: start, error)
            throw error
        }
    }

    private func run<State: Sendable>(
        _ sql: SQL,
        isQuery: Bool,
        into state: State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome<State> {
        try sql.check()
        let start = now()
        let statement = SQLStatement(sql, isQuery: isQuery, deadline: start + configuration.timeout)
        do {
            let outcome = try await runner.run(statement, into: state, each)
            log(sql.text, since: start)
            return outcome
        } catch {
            log(sql.text, since: start, error)
            throw error
        }
    }

    /// Logs one line for a statement, without its values, which may be secrets.
    func log(_ text: String, since start: ContinuousClock.Instant, _ error: (any Error)? = nil) {
        let level = logger.logLevel
        guard timer != nil || level <= .warning else { return }
        let duration = now() - start
        timer?.recordNanoseconds(duration.nanoseconds)
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

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

extension SQL {
    /// - Throws: ``DatabaseError/invalidValue(_:)`` when a value could not be bound.
    func check() throws(DatabaseError) {
        if let problem { throw .invalidValue(problem) }
    }
}
