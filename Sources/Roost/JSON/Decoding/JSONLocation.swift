/// The place in a JSON text that a coding path leads to: its pointer, and the kind of value found there.
struct JSONLocation {
    /// The path as a JSON pointer.
    ///
    ///     json-pointer = *( "/" reference-token )      ; RFC 6901 §3
    private(set) var pointer = ""
    /// The kind of value that stands there, in words for people; nil if there is none.
    var found: String? { value.map { Self.kind(of: text[$0]) } }

    private let text: UnsafeBufferPointer<UInt8>
    private let keys: JSONCoder.Keys
    /// The offset at which the value begins; nil after a member that is missing.
    private var value: Int?

    init(_ path: [any CodingKey], in text: UnsafeBufferPointer<UInt8>, by coder: JSONCoder) {
        self.text = text
        keys = coder.keys
        let start = JSONWalker(text).start
        value = start < text.count ? start : nil
        for key in path { descend(key) }
    }

    private mutating func descend(_ key: any CodingKey) {
        let walker = JSONWalker(text)
        guard let value, let kind = walker.container(at: value) else { return append(key.stringValue) }
        if kind == .array, let index = key.intValue {
            var before = index
            append("\(index)")
            self.value =
                walker.firstPart(ofValueAt: value) { _ in
                    before -= 1
                    return before < 0
                }?.value
        } else {
            let (name, member) = member(of: key, ofValueAt: value, walker)
            append(name)
            self.value = member?.value
        }
    }

    /// The name that a key has, or would have, in the text, and the member of this name if there is one.
    private func member(
        of key: any CodingKey, ofValueAt offset: Int, _ walker: JSONWalker
    ) -> (String, JSONWalker.Part?) {
        guard case .snakeCase = keys else {
            return (key.stringValue, walker.member(key.stringValue, ofValueAt: offset))
        }
        let converted = JSONSnakeCase.of(key.stringValue)
        if let member = walker.member(converted, ofValueAt: offset) { return (converted, member) }
        guard let member = walker.member(key.stringValue, ofValueAt: offset) else { return (converted, nil) }
        return (key.stringValue, member)
    }

    /// RFC 6901 §3: `~` is written `~0` and `/` is written `~1`.
    private mutating func append(_ token: String) {
        pointer += "/"
        for character in token.unicodeScalars {
            switch character {
            case "~": pointer += "~0"
            case "/": pointer += "~1"
            default: pointer.unicodeScalars.append(character)
            }
        }
    }

    private static func kind(of byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "{"): "an object"
        case UInt8(ascii: "["): "an array"
        case UInt8(ascii: "\""): "a string"
        case UInt8(ascii: "t"): "true"
        case UInt8(ascii: "f"): "false"
        case UInt8(ascii: "n"): "null"
        default: "a number"
        }
    }
}
