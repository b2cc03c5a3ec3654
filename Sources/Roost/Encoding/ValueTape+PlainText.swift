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

    /// The shortest digits that mean a number. A whole number below 10¹⁶ has no decimal point.
    static func digits(of value: Double) -> String {
        if abs(value) < 1e16, let whole = Int64(exactly: value) { return String(whole) }
        return value.description
    }
}
