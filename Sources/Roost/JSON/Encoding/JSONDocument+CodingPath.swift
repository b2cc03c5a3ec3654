/// The way to a place, read back from the text when someone asks: so the hot path keeps no keys.
///
/// The names are the document's: under ``JSONCoder/Keys-swift.enum/snakeCase`` they are converted.
extension JSONDocument {
    /// The names and indices on the way to the value in a place.
    func codingPath(to serial: Int) -> [any CodingKey] {
        if let tree { return tree.codingPath(to: serial) }
        let wanted = serial == place.serial ? place : outer.last { $0.serial == serial }
        return Array(currentPath.prefix(wanted?.depth ?? 0))
    }

    /// The way to the value that is being written at the end of the text: for each object that is open the name that
    /// stands in it last, for each array the number of commas.
    var currentPath: [any CodingKey] {
        if let tree { return tree.currentPath }
        var path: [JSONKey] = []
        var index = 0
        let text = buffer.bytes
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "{"): path.append(JSONKey(stringValue: ""))
            case UInt8(ascii: "["): path.append(JSONKey(intValue: 0))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): path.removeLast()
            case UInt8(ascii: ","):
                if let position = path.last?.intValue { path[path.count - 1] = JSONKey(intValue: position + 1) }
            case UInt8(ascii: "\""):
                let end = Self.stringEnd(in: text, at: index)
                if end < text.count, text[end] == UInt8(ascii: ":") {
                    path[path.count - 1] = JSONKey(writtenName: text[index..<end])
                }
                index = end
                continue
            default: break
            }
            index += 1
        }
        return path
    }

    /// The offset after the string that begins at one.
    private static func stringEnd(in text: [UInt8], at start: Int) -> Int {
        var index = start + 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, text.count)
    }
}
