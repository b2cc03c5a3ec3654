/// A row of a table that a client sent.
public struct CSVRow<Value: Sendable>: Sendable {
    /// The number of the line on which it begins, from 1.
    public let line: Int
    /// The row; nil when it has mistakes.
    public let value: Value?
    /// The mistakes in it.
    public let mistakes: [CSVMistake]
}
