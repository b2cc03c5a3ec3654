/// Writes the members of an object. After that, ``KeyedContainers`` may use it for another object.
final class JSONObjectContainer<Key: CodingKey>: PlacedContainer<JSONDocument, Int>, KeyedEncodingContainerProtocol {
    @inline(__always)
    var writer: JSONWriter { JSONWriter(output, serial: position) }

    /// As ``JSONWriter/member(_:_:)``, but on the container's own reference to the document.
    @inline(__always)
    private func member(_ key: Key, _ writeValue: (JSONDocument) throws -> Void) throws {
        try output.member(key, of: position) { try writeValue(output) }
    }

    var codingPath: [any CodingKey] { writer.codingPath }

    func encodeNil(forKey key: Key) throws {
        try member(key) { $0.buffer.append("null") }
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        try member(key) { $0.append(value) }
    }

    func encode(_ value: String, forKey key: Key) throws {
        try member(key) { $0.append(value) }
    }

    func encode(_ value: Double, forKey key: Key) throws {
        try member(key) { try $0.append(value) }
    }

    func encode(_ value: Float, forKey key: Key) throws {
        try member(key) { try $0.append(value) }
    }

    func encode(_ value: Int, forKey key: Key) throws {
        try member(key) { DecimalText.append(value, to: $0.buffer) }
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try member(key) { try $0.append(value) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        valueEncoder(for: key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        valueEncoder(for: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { valueEncoder(for: JSONKey.base) }

    func superEncoder(forKey key: Key) -> any Encoder { valueEncoder(for: key) }

    private func valueEncoder(for key: some CodingKey) -> JSONValueEncoder {
        JSONValueEncoder(writer: writer.place(for: key))
    }
}

// MARK: - Integers

extension JSONObjectContainer {
    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number, forKey key: Key) throws {
        try member(key) { DecimalText.append(value, to: $0.buffer) }
    }

    func encode(_ value: Int128, forKey key: Key) throws {
        try member(key) { DecimalText.append(wide: value, to: $0.buffer) }
    }

    func encode(_ value: UInt128, forKey key: Key) throws {
        try member(key) { DecimalText.append(wide: value, to: $0.buffer) }
    }
}
