internal import CPostgres
import Glibc
import Roost
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
        // Nil for a number that is not whole or does not fit.
        return bytes(column).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
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
        guard !isNull(column), let text = PQgetvalue(result, index, Int32(column)) else { return nil }
        var count = 0
        let decoded = PQunescapeBytea(UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), &count)
        defer { PQfreemem(decoded) }
        return decoded.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
    }

    /// The value's text; nil for NULL, which libpq gives as an empty one.
    private func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
        let count = Int(PQgetlength(result, index, Int32(column)))
        guard count > 0 || !isNull(column), let value = PQgetvalue(result, index, Int32(column)) else { return nil }
        return UnsafeBufferPointer(start: UnsafeRawPointer(value).assumingMemoryBound(to: UInt8.self), count: count)
    }
}

/// The types whose values are read as more than text, by their numbers in PostgreSQL's catalog (`pg_type.dat`).
enum PostgresType {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let numeric: UInt32 = 1700

    /// `bigint`, `smallint`, `integer`, `oid`.
    static func isWhole(_ type: UInt32) -> Bool { type == 20 || type == 21 || type == 23 || type == 26 }

    /// `real`, `double precision`.
    static func isReal(_ type: UInt32) -> Bool { type == 700 || type == 701 }

    /// The name of a type, for messages.
    static func name(_ type: UInt32) -> String { names[type] ?? "type \(type)" }

    private static let names: [UInt32: String] = [
        16: "boolean", 17: "bytea", 18: "\"char\"", 19: "name", 20: "bigint", 21: "smallint", 23: "integer", 25: "text",
        26: "oid", 114: "json", 700: "real", 701: "double precision", 1042: "character", 1043: "character varying",
        1082: "date", 1083: "time", 1114: "timestamp", 1184: "timestamp with time zone", 1186: "interval",
        1700: "numeric", 2950: "uuid", 3802: "jsonb",
    ]
}
