internal import CSQLite
internal import RoostSQL

// SQLite searches the names of all placeholders for each `$1` of a text, and for each binding. So the time grows with
// the square of their number, and nothing can interrupt it. Where each value stands once and in order, a text with `?`
// means the same, and has no names.

extension SQLiteConnection {
    /// The number of values up to which a statement has names for them, and stays in the cache.
    static let fewValues = 1000
    /// The maximum number of values with names. To prepare a statement with so many takes 0.2 s.
    private static let maximumNames = 5000

    /// A caller's statement, from the cache if it has few values. Others are prepared each time: they are large, and a
    /// list of another length is another statement.
    func prepared(_ sql: SQL) throws(DatabaseError) -> SQLiteStatement {
        guard sql.bindings.count > Self.fewValues else { return try prepared(sql.text) }
        let statement = try prepare(sql)
        guard !statement.controlsTransaction else { throw .transactionControl }
        return statement
    }

    /// A new statement of a caller's, for one user only.
    /// - Throws: ``DatabaseError/invalidValue(_:)`` when it has more values than SQLite takes, or soon enough.
    func prepare(_ sql: SQL) throws(DatabaseError) -> SQLiteStatement {
        let count = sql.bindings.count
        guard count > Self.fewValues else { return try prepare(sql.text) }
        let maximum = Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
        guard count <= maximum else {
            throw .invalidValue("A statement can have \(maximum) values at most, and this one has \(count).")
        }
        if let text = sql.unnumberedText {
            let nameless = try compileAll(text)
            // A placeholder in quotes or in a comment is none to SQLite.
            if Self.areNameless(count, in: nameless) {
                return try SQLiteStatement(sql.text, nameless, self, isNameless: true)
            }
            sqlite3_finalize(nameless)
        }
        guard count <= Self.maximumNames else {
            throw .invalidValue(
                "A statement that writes its placeholders itself, or has a ? in its text, can have "
                    + "\(Self.maximumNames) values at most, and this one has \(count).")
        }
        return try prepare(sql.text)
    }

    /// A new statement, for one user only.
    func prepare(_ text: String) throws(DatabaseError) -> SQLiteStatement {
        try SQLiteStatement(text, compileAll(text), self)
    }

    /// Whether a statement has so many placeholders, and all of them are `?`.
    private static func areNameless(_ count: Int, in statement: OpaquePointer) -> Bool {
        let places = sqlite3_bind_parameter_count(statement)
        return Int(places) == count
            && (0..<places).allSatisfy { sqlite3_bind_parameter_name(statement, $0 + 1) == nil }
    }

    /// Compiles a text that is one statement.
    private func compileAll(_ text: String) throws(DatabaseError) -> OpaquePointer {
        let script = Array(text.utf8CString)
        guard let (handle, count) = try compile(script[...]) else {
            throw .statement(code: "empty", message: "The statement is empty.")
        }
        let rest = String(decoding: script[count...].map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard StatementKind.isNone(rest, in: .sqlite) else {
            sqlite3_finalize(handle)
            throw .statement(code: "tail", message: "There is more than one statement.")
        }
        return handle
    }

    /// Compiles the first statement of a script, and returns how many bytes it has; nil when there is none.
    func compile(_ script: ArraySlice<CChar>) throws(DatabaseError) -> (handle: OpaquePointer, count: Int)? {
        var statement: OpaquePointer?
        let (code, count) = script.withUnsafeBufferPointer { bytes in
            var tail: UnsafePointer<CChar>?
            let length = Int32(clamping: bytes.count)
            // On an event loop, the first version: when the schema has changed, the statement fails, instead of being
            // prepared again with another program that nobody has looked at.
            let code =
                limits.isOnLoop
                ? sqlite3_prepare(handle, bytes.baseAddress, length, &statement, &tail)
                : sqlite3_prepare_v3(handle, bytes.baseAddress, length, 0, &statement, &tail)
            return (code, tail.flatMap { bytes.baseAddress?.distance(to: $0) } ?? bytes.count)
        }
        guard code == SQLITE_OK else { throw lastError }
        return statement.map { ($0, count) }
    }
}
