/// The type of the keys that the standard library encodes dictionaries with.
///
/// It has no public name, so a dictionary is encoded once by an encoder that only looks at the type.
enum JSONDictionaryKeys {
    static let type: ObjectIdentifier? = {
        let seen = Seen()
        try? ["": 0].encode(to: Looker(seen: seen))
        return seen.type
    }()

    private final class Seen {
        var type: ObjectIdentifier?
    }

    /// An encoder that remembers the type of keys; what is written to it goes to a document that takes nothing.
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
