import CoreMetrics
import Logging
import Roost

/// Runs the statements of ``Database`` and ``Transaction``, with the limits, decoding and logging that both share.
struct StatementRunner: Sendable {
    /// The driver, or one of its transactions.
    let engine: any SQLRunner
    var configuration: DatabaseConfiguration
    let logger: Logger
    /// Gets the time of every statement; nil where nobody measures.
    let timer: Timer?
    /// The engine's dialect, for tracers.
    let dialect: SQLDialect

    var deadline: ContinuousClock.Instant { configuration.now() + configuration.timeout }

    /// Runs a query and reduces its rows by their columns. Inlined, because each function that waits costs memory of
    /// its task.
    @inline(__always)
    func read<State: Sendable>(
        _ sql: SQL, into state: State, _ each: @escaping @Sendable (inout State, inout SQLColumns) throws -> Bool
    ) async throws -> State {
        var state = state
        _ = try await run(sql, isQuery: true, into: &state, columns(each))
        return state
    }

    /// Runs a statement and reduces its rows.
    func run<State: Sendable>(
        _ sql: SQL, isQuery: Bool, into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool,
        isShown: Bool = false
    ) async throws -> SQLOutcome {
        try sql.check()
        if !isShown, let step = step(of: sql.text) { return try await show(sql, isQuery, &state, each, step) }
        let start = try begin()
        do {
            let statement = SQLStatement(sql, isQuery: isQuery, deadline: start + configuration.timeout)
            let outcome =
                if let outcome = try engine.runWithoutWaiting(statement, into: &state, each) { outcome } else {
                    try await engine.run(statement, into: &state, each)
                }
            log(sql.text, since: start)
            return outcome
        } catch {
            log(sql.text, since: start, error)
            throw error
        }
    }

    /// Gives the columns of each row to a function.
    func columns<State: Sendable>(
        _ each: @escaping @Sendable (inout State, inout SQLColumns) throws -> Bool
    ) -> @Sendable (inout State, any SQLRow) throws -> Bool {
        let naming = configuration.columnNames
        return { state, row in
            var columns = SQLColumns(row, naming)
            return try each(&state, &columns)
        }
    }

    /// Runs a statement whose rows nobody wants.
    func execute(_ sql: SQL) async throws -> SQLOutcome {
        var unread = 0
        return try await run(sql, isQuery: false, into: &unread) { _, _ in true }
    }

    /// Runs an `INSERT` of one row, without `RETURNING`, and returns its new `id`; nil when nothing was inserted, or
    /// when its `id` is no whole number: PostgreSQL has committed it by then, so that must be no error.
    func insert(_ sql: SQL) async throws -> Int? {
        guard dialect == .sqlite else {
            var id: Int?
            _ = try await run(sql.returningID(), isQuery: true, into: &id) { id, row in
                id = row.integer(0).flatMap { Int(exactly: $0) }
                return false
            }
            return id
        }
        return try await execute(sql).insertedID.flatMap { Int(exactly: $0) }
    }

    /// The time at which a statement begins.
    func begin() throws(DatabaseError) -> ContinuousClock.Instant {
        guard configuration.timeout > .zero else { throw .lateForItsTurn }
        return configuration.now()
    }

    /// Does what is more or less than one statement, such as the begin of a transaction; logs and shows it like one.
    func timed<Value>(
        _ text: String, isShown: Bool = true, _ body: () async throws -> Value
    ) async throws -> Value {
        let start = try begin()
        let step = isShown ? step(of: text) : nil
        do {
            let value = try await body()
            log(text, since: start)
            step?.end()
            return value
        } catch {
            log(text, since: start, error)
            // An engine's message may quote the values of any statement of it.
            step?.end(error) { $0.error = "\(type(of: error))" }
            throw error
        }
    }

    /// Logs one line for a statement, without its values, which may be secrets.
    func log(_ text: String, since start: ContinuousClock.Instant, _ error: (any Error)? = nil) {
        let level = logger.logLevel
        guard timer != nil || level <= .warning else { return }
        let duration = configuration.now() - start
        timer?.recordNanoseconds(duration.wholeNanoseconds)
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

    /// The same `INSERT`, which returns the `id`. It may end with semicolons or with a comment, but not with a comment
    /// after a semicolon.
    /// - Throws: ``DatabaseError/invalidValue(_:)`` when a value could not be bound.
    fileprivate func returningID() throws(DatabaseError) -> SQL {
        try check()
        let end = text.utf8.lastIndex { $0 > 0x20 && $0 != UInt8(ascii: ";") }
        let statement = end.map { text[...$0] } ?? ""
        // A comment ends with its line.
        let blank = statement.utf8.firstRange(of: "--".utf8) == nil ? " " : "\n"
        return SQL(unchecked: "\(statement)\(blank)RETURNING id", bindings: bindings)
    }
}

// The facts about a statement that the window of development shows.

extension StatementRunner {
    /// Begins the step of a statement; nil where nobody looks. Its text has no values in it.
    func step(of text: String) -> OpenStep? {
        Timelines.begin(
            .statement, text,
            span: text.prefix { $0.isLetter }.uppercased(),
            ["db.query.text": text, "db.system.name": dialect.rawValue])
    }

    /// Runs a statement as a step of a request's timeline, and as a span.
    func show<State: Sendable>(
        _ sql: SQL, _ isQuery: Bool, _ state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool, _ step: OpenStep
    ) async throws -> SQLOutcome {
        // A driver that begins a statement again gives the state from before: its rows are counted once, too.
        var counted = (state, rows: 0)
        defer { state = counted.0 }
        do {
            let outcome = try await run(
                sql, isQuery: isQuery, into: &counted,
                { counted, row in
                    counted.rows += 1
                    return try each(&counted.0, row)
                }, isShown: true)
            step.end { entry in
                entry.details = Self.values(of: sql)
                entry.rows = isQuery ? counted.rows : outcome.changes
                entry.plan = isQuery ? plan(of: sql) : nil
                // The values that the plan is asked for with are kept besides.
                if entry.plan != nil { entry.kept = sql.bindings.reduce(sql.text.utf8.count) { $0 + $1.size } }
            }
            return outcome
        } catch {
            step.end(error) { entry in
                entry.details = Self.values(of: sql)
                // An engine's message may quote values.
                if SecretWords.areIn(sql.text) { entry.error = "\(type(of: error)): \(SecretWords.mask)" }
            }
            throw error
        }
    }

    /// The first 20 values of a statement as texts, or dots if the statement is about secrets.
    static func values(of sql: SQL) -> [String] {
        let isSecret = SecretWords.areIn(sql.text)
        return sql.bindings.prefix(20).enumerated().map { index, value in
            "$\(index + 1) = " + (isSecret ? SecretWords.mask : self.text(value))
        }
    }

    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): "\"\(text.prefix(100))\"" + (text.utf8.count > 400 ? "…" : "")
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }

    /// Asks the engine how it runs a query, which does not run it. In a transaction there is nobody to ask later. The
    /// plan of PostgreSQL has the values in it.
    private func plan(of sql: SQL) -> (@Sendable () async throws -> [String])? {
        guard let driver = engine as? any SQLDriver, !SecretWords.areIn(sql.text), sql.text.utf8.count < 2000,
            sql.bindings.count <= 20, sql.bindings.allSatisfy({ $0.size <= 400 })
        else { return nil }
        let isSQLite = driver.dialect == .sqlite
        let start = sql.text.drop { $0.isWhitespace }.prefix(6).uppercased()
        guard start == "SELECT" || start.hasPrefix("WITH") else { return nil }
        let question = SQL(
            unchecked: (isSQLite ? "EXPLAIN QUERY PLAN " : "EXPLAIN ") + sql.text, bindings: sql.bindings)
        var runner = self
        runner.configuration.timeout = min(.seconds(2), configuration.timeout)
        return { [runner] in
            var lines: [String] = []
            _ = try await runner.run(
                question, isQuery: true, into: &lines,
                { lines, row in
                    lines.append(row.text(isSQLite ? 3 : 0) ?? "")
                    return lines.count < 50
                }, isShown: true)
            return lines
        }
    }
}
