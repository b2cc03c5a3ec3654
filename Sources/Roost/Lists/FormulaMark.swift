/// The `'` before a text that a spreadsheet would run as a formula. A table that goes out has it, and one that comes in
/// loses it, so that its texts are the same again.
///
///     formula = *"'" ("=" / "+" / "-" / "@" / NUL)   ; at the beginning of a cell, and after each ";", TAB, CR and LF,
///                                                   ; and after each "," of a table with another separator
///             / *"'" (TAB / CR / LF)                 ; only at the beginning of a cell
///
/// The signs are also those of full width, which some spreadsheets read as the others (U+FF1D, FF0B, FF0D, FF20).
///
/// A formula after `'` gets one more: otherwise two texts would be written alike.
enum FormulaMark {
    static let byte = UInt8(ascii: "'")

    /// Whether a formula begins at a place of a cell. A program that separates at another sign sees the quotation mark
    /// in the middle of its cell, and so begins a cell at each of these signs and each line break. The comma of a table
    /// with commas is none of them, since many texts have one.
    static func belongs(before place: Int, in cell: UnsafeBufferPointer<UInt8>, separator: UInt8) -> Bool {
        guard place == 0 || begins(after: cell[place - 1], separator) else { return false }
        let text = cell[place...].drop { $0 == byte }
        guard let sign = text.first else { return false }
        if sign == 0xEF {
            return ["\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].contains { text.starts(with: $0.utf8) }
        }
        return (place == 0 ? "=+-@\0\t\r\n" : "=+-@\0").utf8.contains(sign)
    }

    private static func begins(after byte: UInt8, _ separator: UInt8) -> Bool {
        ";\t\r\n".utf8.contains(byte) || byte == CSVSeparator.comma.rawValue && byte != separator
    }

    /// Takes the marks away from a cell.
    static func remove(from cell: inout [UInt8], separator: UInt8) {
        guard cell.contains(byte) else { return }
        let text = cell.withUnsafeBufferPointer { cell in
            cell.indices.filter { cell[$0] != byte || !belongs(before: $0, in: cell, separator: separator) }
                .map { cell[$0] }
        }
        cell = text
    }
}
