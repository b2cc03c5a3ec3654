import Roost

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
