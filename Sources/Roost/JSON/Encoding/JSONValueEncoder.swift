/// Writes the one value of a place. It is the encoder that `encode(to:)` is given, and also its single-value container.
struct JSONValueEncoder: Encoder, SingleValueEncodingContainer {
    private(set) var writer: JSONWriter

    var codingPath: [any CodingKey] { writer.codingPath }

    var userInfo: [CodingUserInfoKey: Any] { writer.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        writer.object(keyedBy: type)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONArrayContainer(writer: writer.array())
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

// MARK: - One value

extension JSONValueEncoder {
    mutating func encodeNil() throws {
        try writer.scalar { $0.buffer.append("null") }
    }

    mutating func encode(_ value: Bool) throws {
        try writer.scalar { $0.append(value) }
    }

    mutating func encode(_ value: String) throws {
        try writer.scalar { $0.append(value) }
    }

    mutating func encode(_ value: Double) throws {
        try writer.scalar { try $0.append(value) }
    }

    mutating func encode(_ value: Float) throws {
        try writer.scalar { try $0.append(value) }
    }

    mutating func encode(_ value: Int) throws {
        try writer.scalar { DecimalText.append(value, to: $0.buffer) }
    }

    /// Writes a value. If that throws, another may be written instead.
    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try writer.fill(with: value)
    }
}

// MARK: - Integers

extension JSONValueEncoder {
    mutating func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws {
        try writer.scalar { DecimalText.append(value, to: $0.buffer) }
    }

    mutating func encode(_ value: Int128) throws {
        try writer.scalar { DecimalText.append(wide: value, to: $0.buffer) }
    }

    mutating func encode(_ value: UInt128) throws {
        try writer.scalar { DecimalText.append(wide: value, to: $0.buffer) }
    }
}
