/// A keyed container that writes nothing, and notes when its coding path is read.
final class KeyedContainerProbe: KeyedEncodingContainerProtocol {
    enum Key: CodingKey { case probe }

    private(set) var isUsed = false

    var codingPath: [any CodingKey] {
        isUsed = true
        return []
    }

    func encodeNil(forKey key: Key) {}
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) {}
    func encode(_ value: Int128, forKey key: Key) {}
    func encode(_ value: UInt128, forKey key: Key) {}

    // Only the coding path is read.
    func superEncoder() -> any Encoder { preconditionFailure() }
    func superEncoder(forKey key: Key) -> any Encoder { preconditionFailure() }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { preconditionFailure() }
    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { preconditionFailure() }
}
