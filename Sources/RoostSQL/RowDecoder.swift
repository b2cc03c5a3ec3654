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
        throw DatabaseError.column(name, reason: Self.noArray)
    }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    // MARK: Values

    func decodeNil() -> Bool { row.isNull(column) }
    func decode(_ type: Bool.Type) throws -> Bool { try row.value(column, type) }
    func decode(_ type: String.Type) throws -> String { try row.value(column, type) }
    func decode(_ type: Double.Type) throws -> Double { try row.value(column, type) }
    func decode(_ type: Float.Type) throws -> Float { try single() }
    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try row.value(column, type)
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let value = try known(type) { return value }
        do {
            return try T(from: self)
        } catch let error as DecodingError {
            throw DatabaseError.column(name, reason: error.reason(for: type))
        }
    }

    /// Decodes the JSON that the column's text is.
    func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let text = try decode(String.self)
        do {
            return try JSONCoder.stored.decode(type, from: Array(text.utf8))
        } catch {
            throw DatabaseError.column(name, reason: "its text is no JSON of \(type): \(error)")
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
    var isOneValue: DatabaseError { .column(name, reason: Self.noParts) }
    static let noParts = "a column is one value and has no parts."
    static let noArray = "a column is one value and no array, except for [UInt8]."

    fileprivate func mismatch(_ type: Any.Type) -> DatabaseError {
        .column(name, reason: "it is \(row.isNull(column) ? "NULL" : row.typeName(column)), but \(type) is expected.")
    }

    fileprivate func misfit(_ integer: Int64, _ type: Any.Type) -> DatabaseError {
        .column(name, reason: "it is \(integer), which does not fit into \(type).")
    }
}

/// The rules of the types that a row has itself. They are the row's, and inlined, because ``SQLColumns`` reads these
/// types most: a decoder for each value would count a reference to the row, a quarter of the reading of a short row.
extension SQLRow {
    @inline(__always)
    func value(_ column: Int, _ type: Bool.Type) throws -> Bool {
        guard let value = bool(column) else { throw ColumnDecoder(self, column).mismatch(type) }
        return value
    }

    @inline(__always)
    func value(_ column: Int, _ type: String.Type) throws -> String {
        guard let value = text(column) else { throw ColumnDecoder(self, column).mismatch(type) }
        return value
    }

    @inline(__always)
    func value(_ column: Int, _ type: Double.Type) throws -> Double {
        guard let value = real(column) else { throw ColumnDecoder(self, column).mismatch(type) }
        return value
    }

    @inline(__always)
    func value<Number: FixedWidthInteger>(_ column: Int, _ type: Number.Type) throws -> Number {
        guard let integer = integer(column) else { throw ColumnDecoder(self, column).mismatch(type) }
        guard let value = Number(exactly: integer) else { throw ColumnDecoder(self, column).misfit(integer, type) }
        return value
    }
}
