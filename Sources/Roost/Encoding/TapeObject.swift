/// The keyed container of a ``TapeEncoder``: it writes the members of an object.
///
/// It is used for one object after the other (``TapeContainers``). Between two, its cell is 0, and it does not touch
/// the tape, which may be gone: it does not keep it alive.
final class TapeObject<Key: CodingKey>: PlacedTapeObject, KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { cell == 0 ? [] : tape.codingPath(to: cell) }

    /// The cell of a new member.
    @inline(__always)
    private func member(_ key: Key) -> UInt32 { tape.add(tape.names.id(key.stringValue), to: cell) }

    @inline(__always)
    private func checkUse() throws {
        if cell == 0 { throw misuse }
    }

    func encodeNil(forKey key: Key) throws {
        try checkUse()
        tape.set(member(key), .null)
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        try checkUse()
        tape.set(member(key), value)
    }

    func encode(_ value: String, forKey key: Key) throws {
        try checkUse()
        tape.set(member(key), value)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        try checkUse()
        tape.set(member(key), value)
    }

    func encode(_ value: Float, forKey key: Key) throws {
        try checkUse()
        tape.set(member(key), value)
    }

    func encode(_ value: Int, forKey key: Key) throws {
        try checkUse()
        tape.set(member(key), Int64(value))
    }

    func encode(_ value: Int128, forKey key: Key) throws {
        try checkUse()
        tape.set(member(key), value.description, as: .digits)
    }

    func encode(_ value: UInt128, forKey key: Key) throws {
        try checkUse()
        tape.set(member(key), value.description, as: .digits)
    }

    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number, forKey key: Key) throws {
        try checkUse()
        tape.set(member(key), integer: value)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try checkUse()
        try tape.add(tape.names.id(key.stringValue), to: cell, value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { nested(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }

    func superEncoder() -> any Encoder {
        guard cell != 0 else { return TapeEncoder.refusing }
        return TapeEncoder(tape: tape, cell: tape.add(tape.names.id("super" as StaticString), to: cell))
    }

    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: Key) -> TapeEncoder {
        cell == 0 ? .refusing : TapeEncoder(tape: tape, cell: member(key))
    }
}

/// Optional members. One that is nil is noted, so that whoever reads the tape can tell it from a name that does not
/// exist.
extension TapeObject {
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try optional(value, key, encode) }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try optional(value, key, encode) }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try optional(value, key, encode)
    }

    @inline(__always)
    private func optional<Value>(_ value: Value?, _ key: Key, _ encode: (Value, Key) throws -> Void) throws {
        if let value { return try encode(value, key) }
        try checkUse()
        tape.set(member(key), .absent)
    }
}
