import FoundationEssentials
import Roost

/// One column of a row.
struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
    private let row: any SQLRow
    private let column: Int

    init(_ row: any SQLRow, _ column: Int) {
        self.row = row
        self.column = column
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw isOneValue }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw DatabaseError.column(name, reason: "a column is one value and no array, except for [UInt8].")
    }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    // MARK: Values

    func decodeNil() -> Bool { row.isNull(column) }
    func decode(_ type: Bool.Type) throws -> Bool { try row.bool(column) ?? { throw mismatch(type) }() }
    func decode(_ type: String.Type) throws -> String { try row.text(column) ?? { throw mismatch(type) }() }
    func decode(_ type: Double.Type) throws -> Double { try row.real(column) ?? { throw mismatch(type) }() }
    func decode(_ type: Float.Type) throws -> Float { try single() }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        guard let integer = row.integer(column) else { throw mismatch(type) }
        guard let number = Number(exactly: integer) else {
            throw DatabaseError.column(name, reason: "it is \(integer), which does not fit into \(type).")
        }
        return number
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let value = try known(type) { return value }
        do {
            return try T(from: self)
        } catch let error as DecodingError {
            throw DatabaseError.column(name, reason: error.reason(for: type))
        }
    }

    private func single() throws -> Float {
        let double = try decode(Double.self)
        let single = Float(double)
        guard single.isFinite || !double.isFinite else {
            throw DatabaseError.column(name, reason: "it is \(double), which does not fit into Float.")
        }
        return single
    }

    /// Decodes a type that is stored in one column as a whole although its own `Decodable` conformance would ask for
    /// parts; nil for all other types.
    func known<T>(_ type: T.Type) throws -> T? {
        if type == Date.self { return try date() as? T }
        if type == UUID.self { return try uuid() as? T }
        if type == [UInt8].self { return try bytes(type) as? T }
        if type == Data.self { return try Data(bytes(type)) as? T }
        // Their own conformances would ask for parts, which a row does not have either.
        if type == URL.self || type == Decimal.self {
            throw DatabaseError.column(name, reason: "a column is never \(type): read a String, and make it of that.")
        }
        return nil
    }

    private func date() throws -> Date {
        let text = try row.text(column) ?? { throw mismatch(Date.self) }()
        guard let date = DateTime.parse(timestamp: text) else {
            let advice = LocalDate(text) == nil ? "" : " It is a day: read it as a LocalDate."
            throw DatabaseError.column(name, reason: "its text is not a date.\(advice)")
        }
        return date
    }

    private func uuid() throws -> UUID {
        let text = try row.text(column) ?? { throw mismatch(UUID.self) }()
        guard let id = UUID(uuidString: text) else {
            throw DatabaseError.column(name, reason: "its text is not a UUID.")
        }
        return id
    }

    private func bytes(_ type: Any.Type) throws -> [UInt8] { try row.blob(column) ?? { throw mismatch(type) }() }

    // MARK: Errors

    private var name: String { column < row.columnNames.count ? row.columnNames[column] : "\(column + 1)" }

    /// The error for a type that would decode one column as more than one value.
    var isOneValue: DatabaseError { .column(name, reason: "a column is one value and has no parts.") }

    private func mismatch(_ type: Any.Type) -> DatabaseError {
        .column(name, reason: "it is \(row.isNull(column) ? "NULL" : row.typeName(column)), but \(type) is expected.")
    }
}
