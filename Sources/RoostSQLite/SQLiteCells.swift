internal import CSQLite
internal import RoostSQL

/// The values of a statement's current row, for those who read all of them: texts stay where SQLite has them.
///
/// It is a struct, and its statement gives the memory back: a class would be counted twice for each row.
struct SQLiteCells {
    private let handle: OpaquePointer
    private let count: Int
    private let cells: UnsafeMutablePointer<SQLCell>
    /// SQLite's values in the last row. A statement has them side by side in its own memory, mostly in the same place
    /// for each row: where the first is the same as in the last row, so are the others, and need not be asked for.
    private let values: UnsafeMutablePointer<OpaquePointer?>

    /// - Parameter count: The number of columns, at least one.
    init(_ handle: OpaquePointer, count: Int) {
        self.handle = handle
        self.count = count
        cells = .allocate(capacity: count)
        values = .allocate(capacity: count)
        values.initialize(repeating: nil, count: count)
    }

    func deallocate() {
        cells.deallocate()
        values.deallocate()
    }

    /// Reads the current row, until the next one.
    func read() -> UnsafePointer<SQLCell> {
        let (values, cells) = (values, cells)
        if sqlite3_column_value(handle, 0) != values[0] { locate() }
        for column in 0..<count { cells[column] = Self.cell(values[column]) }
        return UnsafePointer(cells)
    }

    private func locate() {
        for column in 0..<count { values[column] = sqlite3_column_value(handle, Int32(column)) }
    }

    @inline(__always)
    private static func cell(_ value: OpaquePointer?) -> SQLCell {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
        case SQLITE_NULL: return .null
        case SQLITE_TEXT:
            guard let text = sqlite3_value_text(value) else { return .other }
            return .text(text, count: Int(sqlite3_value_bytes(value)))
        default: return .other
        }
    }
}
