/// Optional members: those that are nil are left out or `null`, as ``JSONCoder/nils`` says.
extension JSONObjectContainer {
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
        if let value { try encode(value, key) } else if writer.writesNil { try encodeNil(forKey: key) }
    }
}
