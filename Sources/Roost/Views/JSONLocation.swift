/// Where a coding path leads in a JSON text.
struct JSONLocation {
    /// The way as a JSON pointer.
    ///
    ///     json-pointer = *( "/" reference-token )      ; RFC 6901 §3
    private(set) var pointer = ""
    /// What stands there, as a person calls it; nil where nothing does.
    var found: String? { value.map { Self.kind(of: text[$0]) } }

    private let text: UnsafeBufferPointer<UInt8>
    private let keys: JSONCoder.Keys
    /// Where the value begins; nil behind a member that is missing.
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
        let parts = walker.parts(ofValueAt: value)
        if kind == .array, let index = key.intValue {
            append("\(index)")
            self.value = parts.indices.contains(index) ? parts[index].value : nil
        } else {
            let name = name(of: key, among: parts.map { String(decoding: walker.name(of: $0), as: UTF8.self) })
            append(name)
            self.value = parts.first { walker.name(of: $0).elementsEqual(name.utf8) }?.value
        }
    }

    /// The name that a key has in the text, or would have.
    private func name(of key: any CodingKey, among names: [String]) -> String {
        guard case .snakeCase = keys else { return key.stringValue }
        let converted = JSONSnakeCase.of(key.stringValue)
        return names.contains(key.stringValue) && !names.contains(converted) ? key.stringValue : converted
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
