internal import CSQLite
internal import RoostSQL

// The values of the current row.
extension SQLiteStatement {
    /// A value of the current row: an "unprotected" `sqlite3_value`. SQLite warns about its use only because another
    /// thread might use the connection meanwhile, and a connection is one thread's (SQLITE_OPEN_NOMUTEX). So it can be
    /// read without the lock and the checks of `sqlite3_column_…`.
    private func value(_ column: Int) -> OpaquePointer? { sqlite3_column_value(handle, Int32(column)) }

    private func type(_ column: Int) -> Int32 { sqlite3_value_type(value(column)) }

    /// All values of the row, read in one go.
    func cells() -> UnsafePointer<SQLCell>? {
        if let lent { return lent.read() }
        guard !columnNames.isEmpty else { return nil }
        let cells = SQLiteCells(handle, count: columnNames.count)
        lent = cells
        return cells.read()
    }

    func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

    func integer(_ column: Int) -> Int64? {
        let value = value(column)
        return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
    }

    func real(_ column: Int) -> Double? {
        let value = value(column)
        let type = sqlite3_value_type(value)
        return type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_value_double(value) : nil
    }

    func bool(_ column: Int) -> Bool? {
        switch integer(column) {
        case 0: false
        case 1: true
        default: nil
        }
    }

    func text(_ column: Int) -> String? {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_TEXT, let text = sqlite3_value_text(value) else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func blob(_ column: Int) -> [UInt8]? {
        guard type(column) == SQLITE_BLOB else { return nil }
        guard let bytes = sqlite3_column_blob(handle, Int32(column)) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
    }

    func typeName(_ column: Int) -> String {
        switch type(column) {
        case SQLITE_INTEGER: "INTEGER"
        case SQLITE_FLOAT: "REAL"
        case SQLITE_TEXT: "TEXT"
        case SQLITE_BLOB: "BLOB"
        default: "NULL"
        }
    }
}
