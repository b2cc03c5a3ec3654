/// Writing the names of an object's members, by the coder's convention.
extension JSONDocument {
    /// Appends a name and its colon.
    @inline(__always)
    func appendName<Key: CodingKey>(_ key: Key) {
        if case .snakeCase = coder.keys { appendConverted(key) } else { append(key.stringValue) }
        buffer.append(UInt8(ascii: ":"))
    }

    /// Appends a name from the source code, and its colon.
    @inline(__always)
    func appendName(_ name: StaticString) {
        if case .asWritten = coder.keys, !coder.isSafeInHTML, name.hasPointerRepresentation,
            JSONEscaping.appendShort(name.utf8Start, count: name.utf8CodeUnitCount, isName: true, to: buffer)
        {
            return
        }
        appendLongName(name)
    }

    @inline(never)
    private func appendLongName(_ name: StaticString) {
        if case .snakeCase = coder.keys {
            append(JSONSnakeCase.of(name.description))
        } else {
            name.withUTF8Buffer { JSONEscaping.append($0, to: buffer, isSafeInHTML: coder.isSafeInHTML) }
        }
        buffer.append(UInt8(ascii: ":"))
    }

    @inline(never)
    private func appendConverted<Key: CodingKey>(_ key: Key) {
        // A dictionary's keys are data. A `JSONKey` is `super`, the standard library's name for a base class's value.
        let isData = ObjectIdentifier(Key.self) == JSONDictionaryKeys.type || Key.self == JSONKey.self
        append(isData ? key.stringValue : JSONSnakeCase.of(key.stringValue))
    }
}
