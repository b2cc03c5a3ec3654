/// The place in a JSON text that a coding path leads to: its pointer, and the kind of value found there.
struct JSONLocation {
    /// The path as a JSON pointer.
    ///
    ///     json-pointer = *( "/" reference-token )      ; RFC 6901 §3
    private(set) var pointer = ""
    /// The kind of value that stands there, in words for people; nil if there is none.
    var found: String? { value?.current.map(Self.kind) }

    /// A scanner at the value; nil after a member that is missing.
    private var value: JSONScanner?

    init(_ path: [any CodingKey], in text: UnsafeBufferPointer<UInt8>, by coder: JSONCoder) {
        value = JSONScanner(scanned: text)
        for key in path { descend(key, coder.keys) }
    }

    private mutating func descend(_ key: any CodingKey, _ keys: JSONCoder.Keys) {
        guard let container = value, [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(container.current) else {
            return pointer += JSONPointer.step(to: key.stringValue)
        }
        if container.current == UInt8(ascii: "["), let index = key.intValue {
            pointer += "/\(index)"
            var before = index
            value = try? container.part { _, _ in
                before -= 1
                return before < 0
            }
            return
        }
        // Where names are converted, one that is not is read, too.
        let names = keys == .snakeCase ? [JSONSnakeCase.of(key.stringValue), key.stringValue] : [key.stringValue]
        for name in names {
            value = try? container.part { $0?.isEqual(to: name, in: $1.bytes) ?? false }
            if value != nil { return pointer += JSONPointer.step(to: name) }
        }
        pointer += JSONPointer.step(to: names[0])
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
