/// Finds values in a JSON text that is known to be valid.
///
/// It is not for the hot path. It reads objects of strings, and finds the value that an error is about.
struct JSONWalker {
    private let text: UnsafeBufferPointer<UInt8>

    enum Container { case object, array }

    /// A member of an object or an element of an array.
    struct Part {
        /// The bytes of the name between its quotation marks; nil in an array.
        let name: Range<Int>?
        /// The offset at which the value begins.
        let value: Int
    }

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// Whether an object or an array begins at an offset; nil for any other value.
    func container(at offset: Int) -> Container? {
        switch byte(offset) {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        default: nil
        }
    }

    /// The first member or element of the value at an offset for which a condition holds.
    ///
    /// It reads neither that part's value nor what follows. So following a path, however deep, reads the text once.
    func firstPart(ofValueAt offset: Int, where isWanted: (Part) -> Bool) -> Part? {
        guard let kind = container(at: offset) else { return nil }
        var index = spaceEnd(offset + 1)
        while index < text.count, byte(index) != UInt8(ascii: "}"), byte(index) != UInt8(ascii: "]") {
            let part = kind == .object ? member(at: index) : Part(name: nil, value: index)
            if isWanted(part) { return part }
            index = spaceEnd(end(ofValueAt: part.value))
            if byte(index) == UInt8(ascii: ",") { index = spaceEnd(index + 1) }
        }
        return nil
    }

    /// The name of a member, unescaped.
    func name(of part: Part) -> String { part.name.map(unescaped) ?? "" }

    /// The string at an offset, unescaped; nil if another value is there.
    func string(at offset: Int) -> String? {
        guard byte(offset) == UInt8(ascii: "\"") else { return nil }
        return unescaped((offset + 1)..<max(offset + 1, end(ofStringAt: offset) - 1))
    }

    private func unescaped(_ range: Range<Int>) -> String {
        JSONUnescaping.string(of: UnsafeBufferPointer(rebasing: text[range]))
    }

    /// The first member with a name.
    func member(_ name: String, ofValueAt offset: Int) -> Part? {
        firstPart(ofValueAt: offset) { part in
            guard let range = part.name else { return false }
            let raw = text[range]
            if raw.elementsEqual(name.utf8) { return !raw.contains(UInt8(ascii: "\\")) }
            return raw.contains(UInt8(ascii: "\\")) && self.name(of: part).utf8.elementsEqual(name.utf8)
        }
    }

    /// The offset at which the first value begins, after white space.
    var start: Int { spaceEnd(0) }

    /// The offset after the value at an offset.
    func end(ofValueAt offset: Int) -> Int {
        var index = offset
        var depth = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\""):
                index = end(ofStringAt: index)
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth <= 1 { return depth == 0 ? index : index + 1 }
                depth -= 1
            case UInt8(ascii: ","), 0x20, 0x0A, 0x0D, 0x09:
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return index
    }

    private func member(at offset: Int) -> Part {
        let nameEnd = end(ofStringAt: offset)
        let colon = spaceEnd(nameEnd)
        return Part(name: (offset + 1)..<max(offset + 1, nameEnd - 1), value: spaceEnd(colon + 1))
    }

    private func end(ofStringAt offset: Int) -> Int {
        var index = offset + 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, text.count)
    }

    private func spaceEnd(_ offset: Int) -> Int {
        var index = offset
        while let byte = byte(index), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
        return index
    }

    private func byte(_ offset: Int) -> UInt8? { offset < text.count ? text[offset] : nil }
}
