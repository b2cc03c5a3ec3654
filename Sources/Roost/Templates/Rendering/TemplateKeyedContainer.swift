/// Writes the fields of an object.
///
/// `encodeIfPresent` writes a nil, where the standard library's default writes nothing. So templates can tell a nil
/// from a name that does not exist.
final class TemplateKeyedContainer<Key: CodingKey>: PlacedContainer<TemplateTape, UInt32>,
    KeyedEncodingContainerProtocol
{
    var codingPath: [any CodingKey] { tape.codingPath(to: cell) }

    @inline(__always)
    private var tape: TemplateTape { output }
    @inline(__always)
    private var cell: UInt32 { position }

    /// The cell of a new field.
    @inline(__always)
    private func field(_ key: Key) -> UInt32 { tape.add(tape.names.id(key.stringValue), to: cell) }

    @inline(__always)
    private func value(_ key: Key) -> TemplateValueContainer { TemplateValueContainer(tape: tape, cell: field(key)) }

    func encodeNil(forKey key: Key) { _ = field(key) }
    func encode(_ value: Bool, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: String, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Double, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Float, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Int, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Int8, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Int16, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Int32, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Int64, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Int128, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: UInt, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: UInt8, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: UInt16, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: UInt32, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: UInt64, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: UInt128, forKey key: Key) { self.value(key).encode(value) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        let name = tape.names.id(key.stringValue)
        let cell = tape.add(name, to: cell)
        if name >= tape.names.firstUnused, tape.skipsUnused { return tape.skip(cell) }
        try TemplateEncoder(tape: tape, cell: cell).write(value)
    }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: String?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) { encodeOptional(value, key, encode) }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) { encodeOptional(value, key, encode) }

    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
    }

    @inline(__always)
    private func encodeOptional<Value>(_ value: Value?, _ key: Key, _ encode: (Value, Key) -> Void) {
        if let value { encode(value, key) } else { encodeNil(forKey: key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        TemplateEncoder(tape: tape, cell: field(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        TemplateEncoder(tape: tape, cell: field(key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        TemplateEncoder(tape: tape, cell: tape.add(tape.names.id("super" as String), to: cell))
    }

    func superEncoder(forKey key: Key) -> any Encoder { TemplateEncoder(tape: tape, cell: field(key)) }
}
