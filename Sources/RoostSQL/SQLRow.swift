/// A row as a driver shows it, while it is at it: valid only within the call that it is handed to.
///
/// A value is asked for as one of few types; the answer is nil when the column's value is of another. `column` counts
/// from 0 and is below `columnNames.count`.
public protocol SQLRow: AnyObject {
    /// The names of the columns in their order.
    var columnNames: [String] { get }
    /// Whether a column has no value.
    func isNull(_ column: Int) -> Bool
    /// A whole number.
    func integer(_ column: Int) -> Int64?
    /// A floating-point number; whole numbers are such, too.
    func real(_ column: Int) -> Double?
    /// A truth value; in SQLite 1 or 0.
    func bool(_ column: Int) -> Bool?
    /// A text.
    func text(_ column: Int) -> String?
    /// Bytes.
    func blob(_ column: Int) -> [UInt8]?
    /// What the engine calls the type of a column's value, for error messages.
    func typeName(_ column: Int) -> String
}
