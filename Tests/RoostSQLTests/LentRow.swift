import RoostSQL

/// A row that lends its values, as a driver does that has them in memory.
final class LentRow: SQLRow {
    private let row: CannedRow
    private var values: [SQLValue]
    private var texts: [UnsafeMutablePointer<UInt8>] = []
    private let lent: UnsafeMutablePointer<SQLCell>

    init(_ columnNames: [String], _ values: [SQLValue]) {
        row = CannedRow(columnNames, values)
        self.values = values
        lent = .allocate(capacity: max(1, values.count))
    }

    deinit {
        for text in texts { text.deallocate() }
        lent.deallocate()
    }

    var columnNames: [String] { row.columnNames }
    func isNull(_ column: Int) -> Bool { row.isNull(column) }
    func integer(_ column: Int) -> Int64? { row.integer(column) }
    func real(_ column: Int) -> Double? { row.real(column) }
    func bool(_ column: Int) -> Bool? { row.bool(column) }
    func text(_ column: Int) -> String? { row.text(column) }
    func blob(_ column: Int) -> [UInt8]? { row.blob(column) }
    func typeName(_ column: Int) -> String { row.typeName(column) }

    func cells() -> UnsafePointer<SQLCell>? {
        for (index, value) in values.enumerated() { (lent + index).initialize(to: cell(value)) }
        return UnsafePointer(lent)
    }

    private func cell(_ value: SQLValue) -> SQLCell {
        switch value {
        case .null: return .null
        case .integer(let number): return .integer(number)
        case .text(let text):
            let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, text.utf8.count))
            memory.initialize(from: Array(text.utf8), count: text.utf8.count)
            texts.append(memory)
            return .text(memory, count: text.utf8.count)
        case .real, .blob: return .other
        }
    }
}
