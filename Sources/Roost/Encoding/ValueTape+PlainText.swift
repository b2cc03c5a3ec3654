import FoundationEssentials

extension ValueTape {
    /// A value as text without any syntax, for a cell of a table or a field of a form: empty for nil, a time as in
    /// JSON; nil for an object or a list.
    func plainText(of cell: TapeCell) -> String? {
        switch cell.kind {
        case .vacant, .absent, .null: ""
        case .bool: cell.payload != 0 ? "true" : "false"
        case .int: "\(Int64(bitPattern: cell.payload))"
        case .uint: "\(cell.payload)"
        case .double: Self.digits(of: Double(bitPattern: cell.payload))
        case .digits, .text: String(decoding: bytes(of: cell), as: UTF8.self)
        case .date: DateTime.text(Date(timeIntervalSince1970: Double(bitPattern: cell.payload))) ?? ""
        case .object, .list, .function: nil
        }
    }

    /// The shortest digits that mean a number, as in JSON, but without a negative zero, which no reader expects.
    private static func digits(of value: Double) -> String {
        // Beyond 2⁵³ whole numbers have gaps, and Swift writes them with an exponent.
        if abs(value) <= 9_007_199_254_740_992, let whole = Int64(exactly: value) { return String(whole) }
        return value.description
    }
}
