import Roost
import Synchronization

// What the window of development shows of a statement.

extension StatementRunner {
    /// Runs a statement as a step of a request's timeline.
    func show<State: Sendable>(
        _ sql: SQL, _ isQuery: Bool, _ state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool, _ timeline: RequestTimeline
    ) async throws -> SQLOutcome {
        let step = timeline.begin(.statement, sql.text)
        do {
            let outcome = try await run(
                sql, isQuery: isQuery, into: &state,
                { state, row in
                    step.rows.add(1, ordering: .relaxed)
                    return try each(&state, row)
                }, isShown: true)
            step.end { entry in
                entry.details = Self.values(of: sql)
                entry.rows = isQuery ? step.rows.load(ordering: .relaxed) : outcome.changes
                entry.plan = isQuery ? plan(of: sql) : nil
            }
            return outcome
        } catch {
            step.end(error) { $0.details = Self.values(of: sql) }
            throw error
        }
    }

    /// Words in statements whose values nobody else should read, even on a shared screen.
    private static let secrets = [
        "auth", "cookie", "token", "secret", "passw", "key", "session", "csrf", "signature", "code", "hash", "factor",
    ]

    /// The first 20 values of a statement as texts, or dots if the statement is about secrets.
    static func values(of sql: SQL) -> [String] {
        let text = sql.text.lowercased()
        let isSecret = secrets.contains { text.contains($0) }
        return sql.bindings.prefix(20).enumerated().map { index, value in
            "$\(index + 1) = " + (isSecret ? "••••••" : self.text(value))
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

    /// Asks the engine how it runs a query, which does not run it. In a transaction there is nobody to ask later.
    private func plan(of sql: SQL) -> (@Sendable () async throws -> [String])? {
        guard let driver = runner as? any SQLDriver, sql.text.utf8.count < 2000, sql.bindings.count <= 20,
            sql.bindings.allSatisfy(Self.isSmall)
        else { return nil }
        let isSQLite = driver.dialect == .sqlite
        let start = sql.text.drop { $0.isWhitespace }.prefix(6).uppercased()
        guard start == "SELECT" || start.hasPrefix("WITH") else { return nil }
        let question = SQL(
            unchecked: (isSQLite ? "EXPLAIN QUERY PLAN " : "EXPLAIN ") + sql.text, bindings: sql.bindings)
        let runner = self
        return {
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

    private static func isSmall(_ value: SQLValue) -> Bool {
        switch value {
        case .text(let text): text.utf8.count <= 400
        case .blob(let bytes): bytes.count <= 400
        default: true
        }
    }
}
