/// The way to a place, read back from the text when someone asks: so the hot path keeps no keys.
///
/// The names are the document's: under ``JSONCoder/Keys-swift.enum/snakeCase`` they are converted.
extension JSONDocument {
    /// The names and indices on the way to the value in a place.
    func codingPath(to serial: Int) -> [any CodingKey] {
        places.index(of: serial).map { codingPath(of: $0) } ?? []
    }

    /// As ``codingPath(to:)`` does, by the place's index.
    func codingPath(of index: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var index = index
        while places[index].pointee.parent >= 0 {
            path.append(key(of: index))
            index = places[index].pointee.parent
        }
        return path.reversed()
    }

    /// The way to the value that is being written at the end of the text.
    var currentPath: [any CodingKey] {
        guard top >= 0 else { return [] }
        let place = places[top].pointee
        switch place.kind {
        case .object: return codingPath(of: top) + [JSONKey(stringValue: name(before: buffer.count))]
        case .array: return codingPath(of: top) + [JSONKey(intValue: place.members - 1)]
        case .vacant, .scalar: return codingPath(of: top)
        }
    }

    private func key(of index: Int) -> JSONKey {
        let place = places[index]
        guard places[place.pointee.parent].pointee.kind == .object else {
            return JSONKey(intValue: place.pointee.position)
        }
        return JSONKey(stringValue: name(before: place.pointee.start))
    }

    /// The name in the `"name":` that ends before an offset.
    private func name(before start: Int) -> String {
        let quote = start - 2
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
