/// The names of an object's members.
extension JSONDocument {
    /// Appends a name and its colon.
    @inline(__always)
    func appendName<Key: CodingKey>(_ key: Key) {
        if case .snakeCase = coder.keys { appendConverted(key) } else { append(key.stringValue) }
        buffer.append(UInt8(ascii: ":"))
    }

    /// Appends a name that is part of the program, and its colon.
    @inline(__always)
    func appendName(_ name: StaticString) {
        if case .snakeCase = coder.keys {
            append(JSONSnakeCase.of(name.description))
        } else {
            name.withUTF8Buffer { JSONEscaping.append($0, to: buffer, isSafeInHTML: coder.isSafeInHTML) }
        }
        buffer.append(UInt8(ascii: ":"))
    }

    @inline(never)
    private func appendConverted<Key: CodingKey>(_ key: Key) {
        // A dictionary's keys are data, and a base class's place is named by the standard library's convention.
        let isData = ObjectIdentifier(Key.self) == JSONDictionaryKeys.type || Key.self == JSONKey.self
        append(isData ? key.stringValue : JSONSnakeCase.of(key.stringValue))
    }
}
