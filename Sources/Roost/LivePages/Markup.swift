/// Elements in HTML that templates have made, found without making a document of it.
///
/// It reads tags, comments and raw texts as a browser does (WHATWG HTML, 13.2.5), and closes what authors may leave
/// open in lists and tables. It does not correct what is wrong otherwise: templates are the application's own.
package struct Markup {
    /// An element and its place in the bytes.
    package struct Element {
        package let name: String
        package let id: String?
        /// Whether it has the attribute `data-live`.
        package let isLive: Bool
        /// From the `<` of its start tag to the `>` of its end tag.
        package var range: Range<Int>
        /// The place of its content, between its tags.
        package var content: Range<Int>
        /// The number of elements around it.
        let depth: Int
    }

    package let bytes: [UInt8]
    /// All elements, in the order of their start tags.
    package private(set) var elements: [Element] = []
    /// Whether there is text, other than white space, outside of all elements.
    package private(set) var hasTextBesideRoots = false
    private var open: [Int] = []

    /// Reads HTML in UTF-8.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        read()
    }

    /// The elements that are in no other one.
    package var roots: [Element] { elements.filter { $0.depth == 0 } }

    /// The first element with an id.
    package func element(id: String) -> Element? {
        elements.first { $0.id.map(ExactText.init) == ExactText(id) }
    }

    /// The text between tags, with references replaced and runs of white space as one space.
    package var text: String {
        var text: [UInt8] = []
        var place = 0
        for tag in tags + [bytes.count..<bytes.count] {
            text += bytes[place..<tag.lowerBound]
            text.append(UInt8(ascii: " "))
            place = tag.upperBound
        }
        let words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return CharacterReferences.replaced(in: words.joined(separator: " ").utf8)
    }

    /// The places of tags, comments and raw texts.
    private var tags: [Range<Int>] = []

    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]
    private static let raw: Set<String> = ["script", "style"]
    private static let closedBySibling: [String: Set<String>] = [
        "li": ["li"], "dt": ["dt", "dd"], "dd": ["dt", "dd"], "option": ["option"], "tr": ["tr", "td", "th"],
        "td": ["td", "th"], "th": ["td", "th"], "p": ["p"],
    ]

    private mutating func read() {
        var place = 0
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            note(text: place..<start)
            place = readTag(at: start)
        }
        note(text: place..<bytes.count)
        while let last = open.popLast() { close(last, at: bytes.count, end: bytes.count) }
    }

    private mutating func note(text range: Range<Int>) {
        if open.isEmpty, bytes[range].contains(where: { $0 > 0x20 }) { hasTextBesideRoots = true }
    }

    /// Reads what begins with a `<`, and returns the place after it.
    private mutating func readTag(at start: Int) -> Int {
        if bytes[start...].starts(with: "<!--".utf8) { return skip(start, to: "-->") }
        guard start + 1 < bytes.count else {
            note(text: start..<bytes.count)
            return bytes.count
        }
        switch bytes[start + 1] {
        case UInt8(ascii: "!"), UInt8(ascii: "?"): return skip(start, to: ">")
        case UInt8(ascii: "/"): return readEndTag(at: start)
        case let letter where letter.isLetter: return readStartTag(at: start)
        default:
            note(text: start..<start + 1)
            return start + 1
        }
    }

    private mutating func skip(_ start: Int, to end: String) -> Int {
        let found = find(end, from: start + 1).map { $0 + end.utf8.count } ?? bytes.count
        tags.append(start..<found)
        return found
    }

    private func find(_ text: String, from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        return (start..<max(start, bytes.count - wanted.count + 1)).first { place in
            wanted.indices.allSatisfy { bytes[place + $0].lowercased == wanted[$0] }
        }
    }

    private mutating func readEndTag(at start: Int) -> Int {
        let end = skip(start, to: ">")
        let name = name(at: start + 2)
        guard let place = open.lastIndex(where: { elements[$0].name == name }) else { return end }
        for inner in open[(place + 1)...] { close(inner, at: start, end: start) }
        close(open[place], at: start, end: end)
        open.removeSubrange(place...)
        return end
    }

    private mutating func readStartTag(at start: Int) -> Int {
        let name = name(at: start + 1)
        var tag = StartTag(bytes, from: start + 1 + name.utf8.count)
        tag.read()
        tags.append(start..<tag.end)
        while let last = open.last, Self.closedBySibling[name]?.contains(elements[last].name) ?? false {
            close(last, at: start, end: start)
            open.removeLast()
        }
        elements.append(
            Element(
                name: name, id: tag.id, isLive: tag.isLive, range: start..<tag.end, content: tag.end..<tag.end,
                depth: open.count))
        if Self.void.contains(name) || tag.isSelfClosing { return tag.end }
        open.append(elements.count - 1)
        guard Self.raw.contains(name) else { return tag.end }
        let end = find("</" + name, from: tag.end) ?? bytes.count
        tags.append(tag.end..<end)
        return end
    }

    private mutating func close(_ element: Int, at contentEnd: Int, end: Int) {
        elements[element].content = elements[element].content.lowerBound..<contentEnd
        elements[element].range = elements[element].range.lowerBound..<end
    }

    private func name(at start: Int) -> String {
        let name = bytes[start...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        return String(decoding: name.map(\.lowercased), as: UTF8.self)
    }
}

/// The attributes of a start tag (WHATWG HTML, 13.2.5.32 and following).
private struct StartTag {
    private let bytes: [UInt8]
    /// The place after its `>`.
    private(set) var end: Int
    private(set) var id: String?
    private(set) var isLive = false
    private(set) var isSelfClosing = false

    init(_ bytes: [UInt8], from place: Int) {
        self.bytes = bytes
        end = place
    }

    mutating func read() {
        while end < bytes.count, bytes[end] != UInt8(ascii: ">") {
            isSelfClosing = bytes[end] == UInt8(ascii: "/")
            if bytes[end] <= 0x20 || isSelfClosing { end += 1 } else { readAttribute() }
        }
        end = min(end + 1, bytes.count)
    }

    private mutating func readAttribute() {
        let name = take { $0 > 0x20 && !"=>/".utf8.contains($0) }
        if name.map(\.lowercased).elementsEqual("data-live".utf8) { isLive = true }
        skipSpace()
        guard end < bytes.count, bytes[end] == UInt8(ascii: "=") else {
            // A `/` or `=` at the wrong place is passed over, so that each turn takes at least one byte.
            if name.isEmpty { end += 1 }
            return
        }
        end += 1
        skipSpace()
        let value = readValue()
        if id == nil, name.map(\.lowercased).elementsEqual("id".utf8) {
            id = CharacterReferences.replaced(in: value)
        }
    }

    private mutating func readValue() -> ArraySlice<UInt8> {
        guard end < bytes.count, "\"'".utf8.contains(bytes[end]) else {
            return take { $0 > 0x20 && $0 != UInt8(ascii: ">") }
        }
        let quote = bytes[end]
        end += 1
        let value = take { $0 != quote }
        end = min(end + 1, bytes.count)
        return value
    }

    private mutating func skipSpace() { _ = take { $0 <= 0x20 } }

    private mutating func take(while isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let part = bytes[end...].prefix(while: isPart)
        end = part.endIndex
        return part
    }
}
