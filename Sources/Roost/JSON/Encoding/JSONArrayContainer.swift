/// Writes the elements of one array.
struct JSONArrayContainer: UnkeyedEncodingContainer {
    let writer: JSONWriter

    var codingPath: [any CodingKey] { writer.codingPath }

    var count: Int { writer.count }

    mutating func encodeNil() throws {
        try writer.element { $0.buffer.append("null") }
    }

    mutating func encode(_ value: Bool) throws {
        try writer.element { $0.append(value) }
    }

    mutating func encode(_ value: String) throws {
        try writer.element { $0.append(value) }
    }

    mutating func encode(_ value: Double) throws {
        try writer.element { try $0.append(value) }
    }

    mutating func encode(_ value: Float) throws {
        try writer.element { try $0.append(value) }
    }

    mutating func encode(_ value: Int) throws {
        try writer.element { DecimalText.append(value, to: $0.buffer) }
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try writer.element { try $0.append(value) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        valueEncoder().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { valueEncoder().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { valueEncoder() }

    private func valueEncoder() -> JSONValueEncoder {
        JSONValueEncoder(writer: writer.placeForElement())
    }
}

// MARK: - Integers

extension JSONArrayContainer {
    mutating func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws {
        try writer.element { DecimalText.append(value, to: $0.buffer) }
    }

    mutating func encode(_ value: Int128) throws {
        try writer.element { DecimalText.append(wide: value, to: $0.buffer) }
    }

    mutating func encode(_ value: UInt128) throws {
        try writer.element { DecimalText.append(wide: value, to: $0.buffer) }
    }
}
