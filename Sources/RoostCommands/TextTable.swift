package import Roost

/// Rows of text in columns, for a person at a terminal.
struct TextTable {
    private let rows: [[String]]

    init(_ rows: [[String]]) { self.rows = rows }

    /// One line for each row. The last column is as wide as it is.
    var text: String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { column < $0.count ? $0[column].utf8.count : 0 }.max() ?? 0
        }
        return rows.map { line($0, widths) }.joined(separator: "\n")
    }

    private func line(_ row: [String], _ widths: [Int]) -> String {
        let padded = zip(row.dropLast(), widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.utf8.count)) }
        var line = (padded + row.suffix(1)).joined(separator: "  ")
        while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
        return line
    }
}

extension JSONCoder {
    /// A value as a command prints it for a program.
    /// - Parameter nils: Whether absent values are written.
    package static func printed(_ value: some Encodable, nils: JSONCoder.Nils = .omitted) throws -> String {
        String(decoding: try JSONCoder(nils: nils, layout: .pretty).encode(value), as: UTF8.self)
    }
}
