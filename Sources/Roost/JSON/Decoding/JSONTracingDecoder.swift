/// A decoder that passes everything on to another. Its containers note in a ``JSONTrace`` where decoding fails.
struct JSONTracingDecoder: Decoder {
    let decoder: any Decoder
    let trace: JSONTrace

    var codingPath: [any CodingKey] { decoder.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let container = try decoder.container(keyedBy: type)
        trace.note(type, in: decoder)
        return KeyedDecodingContainer(Keyed(container: container, trace: trace))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        Unkeyed(container: try decoder.unkeyedContainer(), trace: trace)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        Single(container: try decoder.singleValueContainer(), trace: trace)
    }
}

// MARK: - Containers

extension JSONTracingDecoder {
    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let container: KeyedDecodingContainer<Key>
        let trace: JSONTrace

        var codingPath: [any CodingKey] { container.codingPath }
        var allKeys: [Key] { container.allKeys }

        func contains(_ key: Key) -> Bool { container.contains(key) }

        func decodeNil(forKey key: Key) throws -> Bool { try container.decodeNil(forKey: key) }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try trace.note(type, at: codingPath + [key]) {
                JSONTrace.isLeaf(type)
                    ? try container.decode(type, forKey: key)
                    : try container.decode(JSONTracedValue<Value>.self, forKey: key).value
            }
        }

        func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
            guard contains(key), try !decodeNil(forKey: key) else { return nil }
            do {
                return try decode(type, forKey: key)
            } catch let noted as JSONTrace.Noted where trace.canLeaveOut(type, after: noted) {
                return nil
            }
        }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<NestedKey> {
            let nested = try container.nestedContainer(keyedBy: type, forKey: key)
            if let decoder = try? container.superDecoder(forKey: key) { trace.note(type, in: decoder) }
            return KeyedDecodingContainer(Keyed<NestedKey>(container: nested, trace: trace))
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            Unkeyed(container: try container.nestedUnkeyedContainer(forKey: key), trace: trace)
        }

        func superDecoder() throws -> any Decoder {
            JSONTracingDecoder(decoder: try container.superDecoder(), trace: trace)
        }

        func superDecoder(forKey key: Key) throws -> any Decoder {
            JSONTracingDecoder(decoder: try container.superDecoder(forKey: key), trace: trace)
        }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        var container: any UnkeyedDecodingContainer
        let trace: JSONTrace

        var codingPath: [any CodingKey] { container.codingPath }
        var count: Int? { container.count }
        var isAtEnd: Bool { container.isAtEnd }
        var currentIndex: Int { container.currentIndex }

        mutating func decodeNil() throws -> Bool { try container.decodeNil() }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            let index = currentIndex
            let value = try trace.note(type, at: codingPath + [PathKey(intValue: index)]) {
                JSONTrace.isLeaf(type)
                    ? try container.decode(type) : try container.decode(JSONTracedValue<Value>.self).value
            }
            // The decoder stays at an element that it could not decode.
            if currentIndex == index { _ = try container.decode(JSONAnything.self) }
            return value
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type
        ) throws -> KeyedDecodingContainer<NestedKey> {
            try JSONTracingDecoder(decoder: container.superDecoder(), trace: trace).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            Unkeyed(container: try container.nestedUnkeyedContainer(), trace: trace)
        }

        mutating func superDecoder() throws -> any Decoder {
            JSONTracingDecoder(decoder: try container.superDecoder(), trace: trace)
        }
    }

    private struct Single: SingleValueDecodingContainer {
        let container: any SingleValueDecodingContainer
        let trace: JSONTrace

        var codingPath: [any CodingKey] { container.codingPath }

        func decodeNil() -> Bool { container.decodeNil() }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try trace.note(type, at: codingPath) {
                JSONTrace.isLeaf(type)
                    ? try container.decode(type) : try container.decode(JSONTracedValue<Value>.self).value
            }
        }
    }
}
