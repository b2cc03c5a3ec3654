import FoundationEssentials

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
            throw DatabaseError.column(error.columnName, reason: error.reason)
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
    private var context: Context? {
        switch self {
        case .keyNotFound(_, let context), .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// The column that a type's own decoding complained about.
    fileprivate var columnName: String { context?.codingPath.last?.stringValue ?? "1" }
    /// The error's own description of the problem.
    var reason: String { context?.debugDescription ?? "it cannot be decoded." }
}
