/// A row as the driver reads it. It is valid only during the call that it is passed to.
///
/// A value can be read as one of a few types; the result is nil when the column holds a value of another type. `column`
/// counts from 0 and is less than `columnNames.count`.
public protocol SQLRow: AnyObject {
    /// The names of the columns, in order.
    var columnNames: [String] { get }
    /// Whether the column is `NULL`.
    func isNull(_ column: Int) -> Bool
    /// A whole number.
    func integer(_ column: Int) -> Int64?
    /// A floating-point number; a whole number counts as one too.
    func real(_ column: Int) -> Double?
    /// A Boolean; in SQLite, 1 or 0.
    func bool(_ column: Int) -> Bool?
    /// A text.
    func text(_ column: Int) -> String?
    /// Bytes.
    func blob(_ column: Int) -> [UInt8]?
    /// The engine's name for the type of the column's value, for error messages.
    func typeName(_ column: Int) -> String
}

/// Some of the columns of a row, for a part of the value that it becomes: those whose names begin with the part's name
/// and a dot, such as `author.name` for the property `name` of the property `author`.
final class RowPart: SQLRow {
    private let row: any SQLRow
    private let columns: [Int]
    let columnNames: [String]

    /// The part with a name; nil when no column belongs to it.
    init?(_ name: String, of row: any SQLRow, _ naming: ColumnNaming) {
        var columns: [Int] = []
        var names: [String] = []
        for (index, column) in row.columnNames.enumerated() {
            guard let dot = column.utf8.firstIndex(of: UInt8(ascii: ".")) else { continue }
            guard naming.index(of: name, in: [String(column[..<dot])]) != nil else { continue }
            columns.append(index)
            names.append(String(column[column.utf8.index(after: dot)...]))
        }
        guard !columns.isEmpty else { return nil }
        self.row = row
        self.columns = columns
        columnNames = names
    }

    /// Whether all of its columns are `NULL`, as after a `LEFT JOIN` that has found nothing.
    var isNull: Bool { columns.allSatisfy(row.isNull) }

    func isNull(_ column: Int) -> Bool { row.isNull(columns[column]) }
    func integer(_ column: Int) -> Int64? { row.integer(columns[column]) }
    func real(_ column: Int) -> Double? { row.real(columns[column]) }
    func bool(_ column: Int) -> Bool? { row.bool(columns[column]) }
    func text(_ column: Int) -> String? { row.text(columns[column]) }
    func blob(_ column: Int) -> [UInt8]? { row.blob(columns[column]) }
    func typeName(_ column: Int) -> String { row.typeName(columns[column]) }
}
