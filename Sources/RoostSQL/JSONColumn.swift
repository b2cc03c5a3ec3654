public import Roost

/// A value that a column keeps as JSON: a list, or a struct whose parts need no columns of their own.
///
///     struct Post: Codable, Sendable {
///         let id: Int
///         let tags: JSONColumn<[String]>
///     }
///     try await database.execute("UPDATE posts SET tags = \(JSONColumn(["new"])) WHERE id = \(id)")
///
/// The column is `TEXT`; in PostgreSQL also `JSON`, or `JSONB`, which refuses texts with U+0000. Dates are in ISO 8601,
/// with milliseconds. An optional `JSONColumn` is nil for `NULL`, not for JSON's `null`. Anywhere else, such as in the
/// JSON of a response, it is encoded as the value itself.
public struct JSONColumn<Value: Codable & Sendable>: Codable, Sendable {
    /// The value.
    public var value: Value

    /// Keeps a value.
    public init(_ value: Value) { self.value = value }

    /// Decodes the value: as JSON from the text of a column, or directly from anything else.
    public init(from decoder: any Decoder) throws {
        if decoder is RowDecoder || decoder is ColumnDecoder,
            let column = try decoder.singleValueContainer() as? ColumnDecoder
        {
            value = try column.json(Value.self)
        } else {
            // Not `Value(from:)`: each coder has its own form of some types, such as dates.
            value = try decoder.singleValueContainer().decode(Value.self)
        }
    }

    /// Writes the value itself.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension JSONColumn: Equatable where Value: Equatable {}
extension JSONColumn: Hashable where Value: Hashable {}

extension JSONColumn: Validatable where Value: Validatable {
    /// Checks the value's own rules.
    public mutating func validate(_ check: inout Validation) { value.validate(&check) }
}

extension JSONColumn: SQLConvertible {
    /// The JSON as text.
    /// - Throws: ``DatabaseError/invalidValue(_:)`` for a value that JSON cannot hold.
    public var sqlValue: SQLValue {
        get throws {
            do {
                return .text(String(decoding: try JSONCoder.stored.encode(value), as: UTF8.self))
            } catch {
                throw DatabaseError.invalidValue("A \(Value.self) cannot be kept as JSON: \(error)")
            }
        }
    }
}
