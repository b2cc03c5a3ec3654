/// Coding paths. They are read back from the text when someone asks for one, so that the hot path keeps no keys.
///
/// The names are those of the text: with ``JSONCoder/Keys-swift.enum/snakeCase`` they are converted.
extension JSONDocument {
    /// The path to the value in a place.
    func codingPath(to serial: Int) -> [any CodingKey] {
        if let tree { return tree.codingPath(to: serial) }
        let places = outer + [place]
        return places.lastIndex { $0.serial == serial }.map { path(through: places[...$0]) } ?? []
    }

    /// The path to the innermost place.
    var placePath: [any CodingKey] { path(through: (outer + [place])[...]) }

    /// The path to the value that is being written at the end of the text.
    var currentPath: [any CodingKey] {
        if let tree { return tree.currentPath }
        return switch place.kind {
        case .object: placePath + [JSONKey(stringValue: name(before: buffer.count))]
        case .array: placePath + [JSONKey(intValue: place.members - 1)]
        case .vacant, .scalar: placePath
        }
    }

    private func path(through places: ArraySlice<JSONPlace>) -> [any CodingKey] {
        zip(places, places.dropFirst()).map { parent, child in
            parent.kind == .object
                ? JSONKey(stringValue: name(before: child.start)) : JSONKey(intValue: parent.members - 1)
        }
    }

    /// The name in the `"name":` that ends before an offset.
    private func name(before end: Int) -> String {
        let quote = end - 2
        var first = quote
        repeat { first -= 1 } while first > 0 && !isOpeningQuote(first)
        guard first >= 0, first < quote else { return "" }
        let escaped = UnsafeBufferPointer(rebasing: buffer.written[(first + 1)..<quote])
        return String(decoding: JSONUnescaping.bytes(of: escaped), as: UTF8.self)
    }

    /// Whether an offset holds a quotation mark with an even number of backslashes before it.
    private func isOpeningQuote(_ offset: Int) -> Bool {
        let text = buffer.written
        guard text[offset] == UInt8(ascii: "\"") else { return false }
        var first = offset
        while first > 0, text[first - 1] == UInt8(ascii: "\\") { first -= 1 }
        return (offset - first).isMultiple(of: 2)
    }
}
