internal import CPostgres
import Glibc
import RoostSQL

/// The current row of a result. Values are read from their text form, which every type has.
final class PostgresRow: SQLRow {
    private let result: OpaquePointer
    private let columns: ResultColumns
    var index: Int32 = 0

    /// The result must stay alive as long as the row is used.
    init(_ result: borrowing PostgresResult, _ columns: ResultColumns) {
        self.result = result.handle
        self.columns = columns
    }

    var columnNames: [String] { columns.names }

    func typeName(_ column: Int) -> String { PostgresType.name(columns.types[column]) }

    func isNull(_ column: Int) -> Bool { PQgetisnull(result, index, Int32(column)) == 1 }

    func integer(_ column: Int) -> Int64? {
        let type = columns.types[column]
        guard PostgresType.isWhole(type) || type == PostgresType.numeric else { return nil }
        return bytes(column).flatMap(Self.integer)
    }

    func real(_ column: Int) -> Double? {
        let type = columns.types[column]
        guard PostgresType.isReal(type) || PostgresType.isWhole(type) || type == PostgresType.numeric else {
            return nil
        }
        // Nobody sets a locale, so this is the "C" locale's: the decimal separator is a point.
        return PQgetvalue(result, index, Int32(column)).flatMap { Double(String(cString: $0)) }
    }

    /// Tables that also work in SQLite have numbers for Booleans.
    func bool(_ column: Int) -> Bool? {
        if columns.types[column] == PostgresType.bool { return bytes(column).map { $0.first == UInt8(ascii: "t") } }
        guard let number = integer(column), number == 0 || number == 1 else { return nil }
        return number == 1
    }

    /// Any type that is not a number, a Boolean or bytes can be read as text: dates, UUIDs, JSON.
    func text(_ column: Int) -> String? {
        let type = columns.types[column]
        guard !PostgresType.isWhole(type), !PostgresType.isReal(type), type != PostgresType.bool,
            type != PostgresType.bytea
        else { return nil }
        return bytes(column).map { String(decoding: $0, as: UTF8.self) }
    }

    func blob(_ column: Int) -> [UInt8]? {
        guard columns.types[column] == PostgresType.bytea else { return nil }
        return bytes(column).flatMap(HexBytes.decode)
    }

    /// The value's text; nil for NULL, which libpq gives as an empty one.
    private func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
        let count = Int(PQgetlength(result, index, Int32(column)))
        guard count > 0 || !isNull(column), let value = PQgetvalue(result, index, Int32(column)) else { return nil }
        return UnsafeBufferPointer(start: UnsafeRawPointer(value).assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// Decimal digits with an optional sign; nil for a number that is not whole or does not fit.
    private static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        var value: Int64 = 0
        guard text.count > (isNegative ? 1 : 0) else { return nil }
        for byte in text.dropFirst(isNegative ? 1 : 0) {
            guard case 0x30...0x39 = byte else { return nil }
            // Counted downwards, because the smallest integer has no positive counterpart.
            let (tens, isOver) = value.multipliedReportingOverflow(by: 10)
            let (next, isUnder) = tens.subtractingReportingOverflow(Int64(byte - 0x30))
            if isOver || isUnder { return nil }
            value = next
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }
}
