/// Writes the members of one object.
struct JSONObjectContainer<Key: CodingKey>: JSONPlacedContainer {
    let writer: JSONWriter

    var codingPath: [any CodingKey] { writer.codingPath }

    mutating func encodeNil(forKey key: Key) throws {
        try writer.member(key) { $0.buffer.append("null") }
    }

    mutating func encode(_ value: Bool, forKey key: Key) throws {
        try writer.member(key) { $0.append(value) }
    }

    mutating func encode(_ value: String, forKey key: Key) throws {
        try writer.member(key) { $0.append(value) }
    }

    mutating func encode(_ value: Double, forKey key: Key) throws {
        try writer.member(key) { try $0.append(value) }
    }

    mutating func encode(_ value: Float, forKey key: Key) throws {
        try writer.member(key) { try $0.append(value) }
    }

    mutating func encode(_ value: Int, forKey key: Key) throws {
        try writer.member(key) { JSONNumbers.append(value, to: $0.buffer) }
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try writer.member(key) { try $0.append(value) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        valueEncoder(for: key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        valueEncoder(for: key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { valueEncoder(for: JSONKey.base) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { valueEncoder(for: key) }

    private func valueEncoder(for key: some CodingKey) -> JSONValueEncoder {
        JSONValueEncoder(writer: writer.place(for: key))
    }
}

// MARK: - Integers

extension JSONObjectContainer {
    mutating func encode(_ value: Int8, forKey key: Key) throws {
        try writer.member(key) { JSONNumbers.append(value, to: $0.buffer) }
    }

    mutating func encode(_ value: Int16, forKey key: Key) throws {
        try writer.member(key) { JSONNumbers.append(value, to: $0.buffer) }
    }

    mutating func encode(_ value: Int32, forKey key: Key) throws {
        try writer.member(key) { JSONNumbers.append(value, to: $0.buffer) }
    }

    mutating func encode(_ value: Int64, forKey key: Key) throws {
        try writer.member(key) { JSONNumbers.append(value, to: $0.buffer) }
    }

    mutating func encode(_ value: UInt, forKey key: Key) throws {
        try writer.member(key) { JSONNumbers.append(value, to: $0.buffer) }
    }

    mutating func encode(_ value: UInt8, forKey key: Key) throws {
        try writer.member(key) { JSONNumbers.append(value, to: $0.buffer) }
    }

    mutating func encode(_ value: UInt16, forKey key: Key) throws {
        try writer.member(key) { JSONNumbers.append(value, to: $0.buffer) }
    }

    mutating func encode(_ value: UInt32, forKey key: Key) throws {
        try writer.member(key) { JSONNumbers.append(value, to: $0.buffer) }
    }

    mutating func encode(_ value: UInt64, forKey key: Key) throws {
        try writer.member(key) { JSONNumbers.append(value, to: $0.buffer) }
    }

    mutating func encode(_ value: Int128, forKey key: Key) throws {
        try writer.member(key) { JSONNumbers.append(wide: value, to: $0.buffer) }
    }

    mutating func encode(_ value: UInt128, forKey key: Key) throws {
        try writer.member(key) { JSONNumbers.append(wide: value, to: $0.buffer) }
    }
}
