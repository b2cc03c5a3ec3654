import FoundationEssentials
import Roost

/// Makes a `Decodable` value from a row, straight from the driver's memory.
///
/// Decoders and containers are structs that hold only a reference to the row: the decoded value is allocated, but
/// hardly anything on the way to it.
struct RowDecoder: Decoder {
    private let row: any SQLRow
    private let naming: ColumnNaming

    /// Decodes a row: a type that is one value from the first column, any other type by the names of the columns.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from row: any SQLRow, _ naming: ColumnNaming = .unchanged
    ) throws -> Value {
        guard !row.columnNames.isEmpty else { throw DatabaseError.column("1", reason: "the result has no columns.") }
        do {
            if let value = try ColumnDecoder(row, 0).known(type) { return value }
            return try Value(from: RowDecoder(row: row, naming: naming))
        } catch let error as DecodingError {
            throw DatabaseError.column(error.columnName, reason: error.reason(for: type))
        }
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowContainer<Key>(row: row, naming: naming))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw DatabaseError.column("1", reason: "a row is not an array; decode a struct, or one value.")
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { ColumnDecoder(row, 0) }
}

extension DecodingError {
    /// The column that a type's own decoding complained about.
    fileprivate var columnName: String { context?.codingPath.last?.stringValue ?? "1" }
    /// The error's own description of the problem; without the value that an enumeration does not have.
    func reason(for type: Any.Type) -> String {
        guard let context else { return "it cannot be decoded." }
        return context.isAboutChoice ? "it is none of the values of \(type)." : context.debugDescription
    }
}

/// The columns of a row by name.
struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let row: any SQLRow
    let naming: ColumnNaming

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { row.columnNames.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { known(key) != nil || part(key) != nil }

    private func known(_ key: Key) -> ColumnDecoder? {
        naming.index(of: key.stringValue, in: row.columnNames).map { ColumnDecoder(row, $0) }
    }

    private func column(_ key: Key) throws(DatabaseError) -> ColumnDecoder {
        ColumnDecoder(row, try naming.column(key.stringValue, in: row.columnNames))
    }

    /// The columns of a property that is a struct itself.
    private func part(_ key: Key) -> RowPart? { RowPart(key.stringValue, of: row, naming) }

    func decodeNil(forKey key: Key) throws -> Bool {
        if let column = known(key) { return column.decodeNil() }
        return try part(key)?.isNull ?? column(key).decodeNil()
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try column(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try column(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try column(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try column(key).decode(type) }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number {
        try column(key).decode(type)
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        if let column = known(key) { return try column.decode(type) }
        guard let part = part(key) else { return try column(key).decode(type) }
        return try RowDecoder.decode(type, from: part, naming)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        throw try column(key).isOneValue
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw try column(key).isOneValue
    }

    func superDecoder() throws -> any Decoder {
        throw DatabaseError.column("super", reason: "a row has no part for a superclass; decode a struct.")
    }
    func superDecoder(forKey key: Key) throws -> any Decoder { try column(key) }
}
