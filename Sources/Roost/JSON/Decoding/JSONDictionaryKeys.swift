/// The type of the coding keys with which the standard library encodes dictionaries.
///
/// That type is private. So a dictionary is encoded once, by an encoder that only notes the type of its keys.
enum JSONDictionaryKeys {
    static let type: ObjectIdentifier? = {
        let seen = Seen()
        try? ["": 0].encode(to: Looker(seen: seen))
        return seen.type
    }()

    private final class Seen {
        var type: ObjectIdentifier?
    }

    /// An encoder that notes the type of keys. Its containers belong to a document that refuses every value.
    private struct Looker: Encoder {
        let seen: Seen
        private let refusing = JSONValueEncoder(writer: JSONWriter(JSONDocument(), serial: JSONDocument.nowhere))

        init(seen: Seen) { self.seen = seen }

        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            seen.type = ObjectIdentifier(Key.self)
            return refusing.container(keyedBy: type)
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer { refusing.unkeyedContainer() }

        func singleValueContainer() -> any SingleValueEncodingContainer { refusing }
    }
}
