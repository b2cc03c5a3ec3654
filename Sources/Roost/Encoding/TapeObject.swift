/// A keyed container of any type of key: a place on the tape.
class PlacedTapeObject {
    /// A tape outlives all use of its containers: their cell is 0 outside of that.
    final let tape: Unmanaged<ValueTape>
    /// The object's cell; 0 while nobody may write.
    @exclusivity(unchecked) final var cell: UInt32 = 0

    init(_ tape: ValueTape) { self.tape = .passUnretained(tape) }

    /// The error for writing after the value was encoded, or where there is another value.
    final var misuse: any Error {
        EncodingError.invalidValue(
            (), .init(codingPath: [], debugDescription: "A container was used after its value had been encoded."))
    }
}

/// The keyed container of a ``TapeEncoder``: it writes the members of an object.
///
/// It is used for one object after the other (``TapeContainers``). Between two, its cell is 0, and it does not touch
/// the tape, which may be gone: it does not keep it alive.
final class TapeObject<Key: CodingKey>: PlacedTapeObject, KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { cell == 0 ? [] : tape._withUnsafeGuaranteedRef { $0.codingPath(to: cell) } }

    /// Adds a member, whose value `set` writes into the cell.
    @inline(__always)
    private func add(_ key: Key, _ set: (ValueTape, UInt32) -> Void) throws {
        if cell == 0 { throw misuse }
        tape._withUnsafeGuaranteedRef { set($0, $0.add(key.stringValue, to: cell)) }
    }

    func encodeNil(forKey key: Key) throws { try add(key) { $0.set($1, .null) } }
    func encode(_ value: Bool, forKey key: Key) throws { try add(key) { $0.set($1, value) } }
    func encode(_ value: String, forKey key: Key) throws { try add(key) { $0.set($1, value) } }
    func encode(_ value: Double, forKey key: Key) throws { try add(key) { $0.set($1, value) } }
    func encode(_ value: Float, forKey key: Key) throws { try add(key) { $0.set($1, value) } }
    func encode(_ value: Int, forKey key: Key) throws { try add(key) { $0.set($1, Int64(value)) } }
    func encode(_ value: Int128, forKey key: Key) throws { try add(key) { $0.set($1, value.description, as: .digits) } }
    func encode(_ value: UInt128, forKey key: Key) throws {
        try add(key) { $0.set($1, value.description, as: .digits) }
    }

    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number, forKey key: Key) throws {
        try add(key) { $0.set($1, integer: value) }
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        if cell == 0 { throw misuse }
        try tape._withUnsafeGuaranteedRef { try $0.add($0.names.id(key.stringValue), to: cell, value) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { nested(key.stringValue).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nested("super") }

    func superEncoder(forKey key: Key) -> any Encoder { nested(key.stringValue) }

    private func nested(_ name: String) -> TapeEncoder {
        if cell == 0 { return .refusing }
        return tape._withUnsafeGuaranteedRef { TapeEncoder(tape: $0, cell: $0.add(name, to: cell)) }
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
        if let value { try encode(value, key) } else { try add(key) { $0.set($1, .absent) } }
    }
}
