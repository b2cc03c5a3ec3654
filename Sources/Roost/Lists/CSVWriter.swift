/// The sign between the cells of a line of CSV.
public enum CSVSeparator: UInt8, Sendable {
    /// A comma, as RFC 4180 has it.
    case comma = 0x2C
    /// A semicolon, which spreadsheets expect where numbers are written with a comma, as in German.
    case semicolon = 0x3B
    /// A TAB.
    case tab = 0x09
}

/// Writes values as lines of CSV (RFC 4180).
///
///     record  = field *(separator field) CRLF
///     escaped = DQUOTE *(TEXTDATA / COMMA / CR / LF / 2DQUOTE) DQUOTE
struct CSVWriter {
    private let tape = ValueTape()
    /// The names of the columns on the tape; nil until the first row has told them.
    private var columns: [UInt32]?
    private var hasHead = false
    private let separator: UInt8
    /// The byte order mark until it has been written; empty without one.
    private var mark: [UInt8]

    init(columns: [String]?, separator: CSVSeparator = .comma, byteOrderMark: Bool = false) {
        self.separator = separator.rawValue
        mark = byteOrderMark ? [0xEF, 0xBB, 0xBF] : []
        self.columns = columns.map { [names = tape.names] in $0.map { names.id($0) } }
    }

    /// Appends a row, and before the first one the heads.
    /// - Throws: `EncodingError` for a row that is one value, and for a cell that is not.
    mutating func append<Row: Encodable>(_ row: Row, to output: inout [UInt8]) throws {
        defer { _ = tape.clear() }
        try tape.writeWhole(row, to: ValueTape.root)
        let root = tape.cells[Int(ValueTape.root)]
        guard root.kind == .object || root.kind == .list else { throw Self.unfit(row) }
        let cells = tape.members(of: ValueTape.root)
        if root.kind == .object, columns == nil { columns = cells.map { tape.cells[Int($0)].name } }
        appendHead(to: &output)
        let chosen = root.kind == .list ? cells : Self.chosen(columns ?? [], among: cells, tape)
        let start = output.count
        for (index, cell) in chosen.enumerated() {
            if index > 0 { output.append(separator) }
            guard append(tape.cells[Int(cell)], of: chosen.count, to: &output) else { throw Self.unfit(row) }
        }
        // An empty line would be no record.
        if output.count == start { output += "\"\"".utf8 }
        output += [0x0D, 0x0A]
    }

    /// Appends the heads if no row has come.
    mutating func finish(_ output: inout [UInt8]) { appendHead(to: &output) }

    private mutating func appendHead(to output: inout [UInt8]) {
        output += mark
        mark = []
        guard !hasHead, let columns else { return }
        hasHead = true
        for (index, name) in columns.enumerated() {
            if index > 0 { output.append(separator) }
            append(text: tape.names.utf8(of: name), of: columns.count, to: &output)
        }
        output += [0x0D, 0x0A]
    }

    /// The cells of columns; 0, which is nil, where a row has none. Mostly they are in the columns' order.
    private static func chosen(_ columns: [UInt32], among cells: [UInt32], _ tape: ValueTape) -> [UInt32] {
        columns.enumerated().map { index, name in
            if index < cells.count, tape.cells[Int(cells[index])].name == name { return cells[index] }
            return cells.first { tape.cells[Int($0)].name == name } ?? 0
        }
    }

    /// Returns false for a cell that is not one value.
    private func append(_ cell: TapeCell, of count: Int, to output: inout [UInt8]) -> Bool {
        if cell.kind == .text {
            append(text: tape.bytes(of: cell), of: count, to: &output)
            return true
        }
        guard let text = tape.plainText(of: cell) else { return false }
        output += text.utf8
        return true
    }

    /// Appends a text of a line of some cells, marked if a spreadsheet would take it for a formula.
    private func append(text: UnsafeBufferPointer<UInt8>, of count: Int, to output: inout [UInt8]) {
        // A line of one cell shows no separator: whoever reads it takes it for one with commas.
        let separator = count > 1 ? separator : CSVSeparator.comma.rawValue
        // A semicolon is quoted for the programs that take it for a comma.
        let isQuoted = text.contains { "\",;\r\n\t".utf8.contains($0) }
        if isQuoted { output.append(UInt8(ascii: "\"")) }
        for (place, byte) in text.enumerated() {
            if FormulaMark.belongs(before: place, in: text, separator: separator) {
                output.append(FormulaMark.byte)
            }
            if byte == UInt8(ascii: "\"") { output.append(byte) }
            output.append(byte)
        }
        if isQuoted { output.append(UInt8(ascii: "\"")) }
    }

    private static func unfit(_ row: Any) -> EncodingError {
        let reason = "A row of CSV is an object or a list, and each cell one value."
        return .invalidValue(row, .init(codingPath: [], debugDescription: reason))
    }
}
