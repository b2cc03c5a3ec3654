/// A decoder without a text: it notes what it is asked for, and answers with samples.
struct SchemaDecoder: Decoder {
    let note: SchemaNote

    init(_ note: SchemaNote) { self.note = note }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { note.book.coder.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        note.noteObject()
        return KeyedDecodingContainer(Members(note: note))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements(note: note.elements()) }
    func singleValueContainer() -> any SingleValueDecodingContainer { Single(note: note) }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let note: SchemaNote
        var codingPath: [any CodingKey] { [] }
        /// One key, if the type takes any.
        var allKeys: [Key] { [Key(stringValue: SchemaNote.anyKey)].compactMap { $0 } }

        func contains(_ key: Key) -> Bool {
            note.noteOptional(key)
            return true
        }

        func decodeNil(forKey key: Key) -> Bool {
            note.noteNullable(key)
            return false
        }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try note.note(key, type)
            if note.book.isInline, FormDecoder.canBeMissing(type) { note.noteOptional(key) }
            return try note.sample(of: type)
        }

        // Nothing, so that a type that may contain another of its own comes to an end.
        func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
            note.noteOptional(key)
            note.noteNullable(key)
            try note.note(key, type)
            return nil
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedDecodingContainer<Nested> {
            SchemaDecoder(note.inner(key)).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
            SchemaDecoder(note.inner(key)).unkeyedContainer()
        }

        func superDecoder() -> any Decoder { SchemaDecoder(note.inner(PathKey(stringValue: "super"))) }
        func superDecoder(forKey key: Key) -> any Decoder { SchemaDecoder(note.inner(key)) }
    }

    /// A list of one element.
    private struct Elements: UnkeyedDecodingContainer {
        let note: SchemaNote
        var currentIndex = 0
        var codingPath: [any CodingKey] { [] }
        var count: Int? { 1 }
        var isAtEnd: Bool { currentIndex > 0 }

        mutating func decodeNil() -> Bool { false }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            currentIndex += 1
            try note.note(single: type)
            return try note.sample(of: type)
        }

        mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
            currentIndex += 1
            return SchemaDecoder(note).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
            currentIndex += 1
            return SchemaDecoder(note).unkeyedContainer()
        }

        mutating func superDecoder() -> any Decoder {
            currentIndex += 1
            return SchemaDecoder(note)
        }
    }

    private struct Single: SingleValueDecodingContainer {
        let note: SchemaNote
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try note.note(single: type)
            return try note.sample(of: type)
        }
    }
}

extension SchemaNote {
    /// The sample of this attempt.
    fileprivate func sample<Value>(of type: Value.Type) throws -> Value {
        if let samples = SchemaLeaf(type, book.coder)?.samples, !samples.isEmpty,
            let sample = samples[attempt % samples.count] as? Value
        {
            return sample
        }
        return try book.sample(of: type)
    }
}
