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
    /// The values of all columns, in order, where the driver has them in memory; nil when it has not. They are valid
    /// as long as the row. A driver that lends them saves the call for each value that ``SQLReadable`` types need.
    func cells() -> UnsafePointer<SQLCell>?
}

extension SQLRow {
    /// None: each value is asked for.
    public func cells() -> UnsafePointer<SQLCell>? { nil }
}
