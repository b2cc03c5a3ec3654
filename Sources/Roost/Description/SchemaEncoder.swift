/// An encoder that writes nothing: it notes what is given to it.
struct SchemaEncoder: Encoder {
    let note: SchemaNote

    init(_ note: SchemaNote) { self.note = note }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { note.book.coder.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        note.noteObject()
        return KeyedEncodingContainer(Members(note: note))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Elements(note: note.elements()) }
    func singleValueContainer() -> any SingleValueEncodingContainer { Single(note: note) }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let note: SchemaNote
        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil(forKey key: Key) { note.noteNullable(key) }

        mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            try note.note(key, Value.self)
        }

        private func noteOptional(_ key: Key, _ type: any Any.Type) throws {
            if case .omitted = note.book.coder.nils { note.noteOptional(key) }
            note.noteNullable(key)
            try note.note(key, type)
        }

        mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
            try noteOptional(key, Value.self)
        }

        mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try noteOptional(key, Bool.self) }
        mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try noteOptional(key, String.self) }
        mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try noteOptional(key, Double.self) }
        mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try noteOptional(key, Float.self) }
        mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try noteOptional(key, Int.self) }
        mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try noteOptional(key, Int8.self) }
        mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try noteOptional(key, Int16.self) }
        mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try noteOptional(key, Int32.self) }
        mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try noteOptional(key, Int64.self) }
        mutating func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try noteOptional(key, Int128.self) }
        mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try noteOptional(key, UInt.self) }
        mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try noteOptional(key, UInt8.self) }
        mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try noteOptional(key, UInt16.self) }
        mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try noteOptional(key, UInt32.self) }
        mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try noteOptional(key, UInt64.self) }
        mutating func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try noteOptional(key, UInt128.self) }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            SchemaEncoder(note.inner(key)).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            SchemaEncoder(note.inner(key)).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { SchemaEncoder(note.inner(PathKey(stringValue: "super"))) }
        mutating func superEncoder(forKey key: Key) -> any Encoder { SchemaEncoder(note.inner(key)) }
    }

    private struct Elements: UnkeyedEncodingContainer {
        let note: SchemaNote
        private(set) var count = 0
        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil() {}
        mutating func encode<Value: Encodable>(_ value: Value) throws { try note.note(single: Value.self) }

        mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            SchemaEncoder(note).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            SchemaEncoder(note).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { SchemaEncoder(note) }
    }

    private struct Single: SingleValueEncodingContainer {
        let note: SchemaNote
        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil() {}
        mutating func encode<Value: Encodable>(_ value: Value) throws { try note.note(single: Value.self) }
    }
}
