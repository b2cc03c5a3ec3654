/// The two delimiters that enclose a tag.
struct TemplateDelimiters: Sendable {
    var open: [UInt8]
    var close: [UInt8]

    /// `{{` and `}}`, which hold at the beginning of every file.
    static let standard = TemplateDelimiters(open: Array("{{".utf8), close: Array("}}".utf8))
}

/// Finds the tags of one template, one after the other.
///
/// With each tag comes whether anything else than blanks stands before or after it on its line. The parser needs that
/// to leave out the line of a standalone tag. The scanner passes over the bytes once, and remembers whether the current
/// line was blank so far.
struct TemplateScanner {
    let bytes: [UInt8]
    private(set) var delimiters: TemplateDelimiters
    private var position = 0
    private var lineStart = 0
    /// Whether only blanks have been seen on the current line.
    private var lineIsClear = true

    init(_ bytes: [UInt8], delimiters: TemplateDelimiters = .standard) {
        self.bytes = bytes
        self.delimiters = delimiters
    }

    /// A mistake in the text, with its offset.
    struct Fault: Error {
        let message: String
        let offset: Int
        /// Whether the rest of the text cannot be scanned.
        var isFinal = false
    }

    /// The next tag, or `nil` at the end.
    mutating func next() throws(Fault) -> TemplateTag? {
        guard skipToTag() else { return nil }
        let start = position
        let clearsStart = lineIsClear
        let (tagLineStart, open) = (lineStart, position + delimiters.open.count)
        let (sigil, content) = sigil(from: open)
        let close = try end(of: sigil, content: content, start: start)
        try checkLine(sigil, content..<close.content, start: start)
        move(to: close.after)
        lineIsClear = false
        let tag = try name(sigil, content: content, end: close.content, start: start)
        return TemplateTag(
            kind: tag.kind, name: tag.name, isDynamic: tag.isDynamic, range: start..<close.after,
            lineStart: tagLineStart, clearsStart: clearsStart, nextLine: nextLine(after: close.after))
    }

    // MARK: Moving

    private mutating func skipToTag() -> Bool {
        while position < bytes.count {
            if starts(delimiters.open, at: position) { return true }
            pass(bytes[position])
        }
        return false
    }

    private mutating func move(to end: Int) {
        while position < end { pass(bytes[position]) }
    }

    private mutating func pass(_ byte: UInt8) {
        position += 1
        if byte == .newline {
            lineStart = position
            lineIsClear = true
        } else if !byte.isBlank {
            lineIsClear = false
        }
    }

    private func starts(_ mark: [UInt8], at index: Int) -> Bool {
        guard bytes[index] == mark[0], index + mark.count <= bytes.count else { return false }
        return bytes[index..<index + mark.count].elementsEqual(mark)
    }

    /// The start of the next line, or the end of the text, if only blanks come before it.
    private func nextLine(after end: Int) -> Int? {
        var index = end
        while index < bytes.count, bytes[index].isBlank { index += 1 }
        guard index < bytes.count else { return index }
        if bytes[index] == .carriageReturn, index + 1 < bytes.count { index += 1 }
        return bytes[index] == .newline ? index + 1 : nil
    }

    // MARK: Inside a tag

    private func sigil(from open: Int) -> (UInt8, content: Int) {
        var index = open
        while index < bytes.count, bytes[index].isSpace { index += 1 }
        guard index < bytes.count else { return (0, open) }
        let isSigil = TemplateTag.kind(of: bytes[index]) != nil && !starts(delimiters.close, at: index)
        return isSigil ? (bytes[index], index + 1) : (0, open)
    }

    private func end(of sigil: UInt8, content: Int, start: Int) throws(Fault) -> (content: Int, after: Int) {
        var mark = delimiters.close
        if sigil == UInt8(ascii: "{") { mark.insert(UInt8(ascii: "}"), at: 0) }
        if sigil == UInt8(ascii: "=") { mark.insert(UInt8(ascii: "="), at: 0) }
        guard let index = (content..<bytes.count).first(where: { starts(mark, at: $0) }) else {
            throw notClosed(mark, start, isFinal: true)
        }
        return (index, index + mark.count)
    }

    /// Refuses a name with a line ending in it. The tag was not closed, and the mark that was found closes another one.
    private mutating func checkLine(_ sigil: UInt8, _ content: Range<Int>, start: Int) throws(Fault) {
        guard sigil != UInt8(ascii: "!"), sigil != UInt8(ascii: "=") else { return }
        guard let lineEnd = trimmed(content).firstIndex(of: .newline) else { return }
        move(to: lineEnd)
        throw notClosed(sigil == UInt8(ascii: "{") ? [UInt8(ascii: "}")] + delimiters.close : delimiters.close, start)
    }

    private func notClosed(_ mark: [UInt8], _ start: Int, isFinal: Bool = false) -> Fault {
        let wanted = String(decoding: mark, as: UTF8.self)
        return Fault(
            message: "this tag is not closed: write \"\(wanted)\" after its name", offset: start, isFinal: isFinal)
    }

    private mutating func name(
        _ sigil: UInt8, content: Int, end: Int, start: Int
    ) throws(Fault) -> (kind: TemplateTag.Kind, name: String, isDynamic: Bool) {
        let kind = TemplateTag.kind(of: sigil) ?? .escaped
        var text = trimmed(content..<end)
        if kind == .comment { return (kind, "", false) }
        if kind == .delimiters {
            try setDelimiters(text, start: start)
            return (kind, "", false)
        }
        if kind == .escaped, let (kind, name) = try special(text, start: start) { return (kind, name, false) }
        let canBeDynamic = kind == .partial || kind == .parent || kind == .close
        let isDynamic = canBeDynamic && text.first == UInt8(ascii: "*")
        if isDynamic { text = trimmed(text.startIndex + 1..<text.endIndex) }
        let name = String(decoding: text, as: UTF8.self)
        let isPath = isDynamic || [.escaped, .raw, .section, .inverted].contains(kind)
        try check(text, name, isPath: isPath, start: start)
        if kind == .escaped, let advice = ForeignTag.advice(forWord: name) {
            throw Fault(message: advice, offset: start)
        }
        return (kind, name, isDynamic)
    }

    /// The kind of a tag without a sigil that shows no value under a name; nil for such a value.
    private func special(_ tag: ArraySlice<UInt8>, start: Int) throws(Fault) -> (TemplateTag.Kind, name: String)? {
        if tag.elementsEqual("liveScript".utf8) { return (.liveScript, "liveScript") }
        if tag.starts(with: Self.assetOpening) { return (.asset, try assetName(tag, start: start)) }
        if let translation = try translation(tag, start: start) { return translation }
        return try formatted(tag, start: start)
    }

    private static let assetOpening = "asset(".utf8

    ///     asset = "asset(" DQUOTE 1*( any byte but DQUOTE ) DQUOTE ")"
    private func assetName(_ text: ArraySlice<UInt8>, start: Int) throws(Fault) -> String {
        let quoted = text.dropFirst(Self.assetOpening.count).dropLast()
        let name = quoted.dropFirst().dropLast()
        let quote = UInt8(ascii: "\"")
        guard text.last == UInt8(ascii: ")"), quoted.first == quote, quoted.last == quote, !name.isEmpty,
            !name.contains(quote)
        else {
            throw Fault(message: "write an asset as {{asset(\"style.css\")}}", offset: start)
        }
        return String(decoding: name, as: UTF8.self)
    }

    ///     translation = "t" 1*blank ( path / DQUOTE 1*( any byte but DQUOTE ) DQUOTE *( 1*blank path ) )
    ///
    /// - Returns: nil for any other tag.
    private func translation(
        _ tag: ArraySlice<UInt8>, start: Int
    ) throws(Fault) -> (TemplateTag.Kind, name: String)? {
        let content = tag.dropFirst().drop { $0.isBlank }
        guard tag.first == UInt8(ascii: "t"), tag.dropFirst().first?.isBlank ?? false, !content.isEmpty else {
            return nil
        }
        guard content.first == Self.quote else {
            if content.first == UInt8(ascii: "'") {
                throw Fault(message: "write a text as {{t \"Sign in\"}}", offset: start)
            }
            let path = String(decoding: content, as: UTF8.self)
            try check(content, path, isPath: true, start: start)
            return (.translation(text: "", paths: [path]), path)
        }
        guard let close = content.dropFirst().firstIndex(of: Self.quote), close > content.startIndex + 1 else {
            let isCut = content.contains(UInt8(ascii: "{")) && !content.dropFirst().contains(Self.quote)
            let reason = isCut ? ": the first }} ends it, so English words for a number stand in Languages/en.po" : ""
            throw Fault(message: "write a text as {{t \"Sign in\"}}" + reason, offset: start)
        }
        var paths: [String] = []
        guard !content[(close + 1)...].contains(Self.quote) else {
            throw Fault(message: "a text has no quotation mark in it: write one like “ or '", offset: start)
        }
        for path in content[(close + 1)...].split(whereSeparator: \.isBlank) {
            paths.append(String(decoding: path, as: UTF8.self))
            try check(path, paths[paths.count - 1], isPath: true, start: start)
        }
        let text = String(decoding: content[(content.startIndex + 1)..<close], as: UTF8.self)
        if let mistake = TemplateTranslation.mistake(text, paths) { throw Fault(message: mistake, offset: start) }
        return (.translation(text: text, paths: paths), String(decoding: content, as: UTF8.self))
    }

    ///     formatted = name 1*blank path [ 1*blank style ]
    ///     name      = "date" / "time" / "dateTime" / "number" / "percent" / "currency"
    ///
    /// - Returns: nil for any other tag.
    private func formatted(
        _ tag: ArraySlice<UInt8>, start: Int
    ) throws(Fault) -> (TemplateTag.Kind, name: String)? {
        let words = tag.split(whereSeparator: \.isBlank).map { String(decoding: $0, as: UTF8.self) }
        guard words.count > 1, ValueFormat.names.contains(words[0]) else { return nil }
        try check(Array(words[1].utf8)[...], words[1], isPath: true, start: start)
        let text = words.joined(separator: " ")
        guard words.count <= 3, let form = ValueFormat(words[0], words.count == 3 ? words[2] : nil) else {
            let styles = ValueFormat.styles(of: words[0])
            throw Fault(message: "{{\(text)}} has no such style: write \(styles)", offset: start)
        }
        return (.formatted(form, path: words[1]), text)
    }

    private static let quote = UInt8(ascii: "\"")

    private func trimmed(_ range: Range<Int>) -> ArraySlice<UInt8> {
        var text = bytes[range]
        while let first = text.first, first.isSpace { text.removeFirst() }
        while let last = text.last, last.isSpace { text.removeLast() }
        return text
    }

    private func check(_ text: ArraySlice<UInt8>, _ name: String, isPath: Bool, start: Int) throws(Fault) {
        guard !text.isEmpty else { throw Fault(message: "this tag has no name: write one", offset: start) }
        guard !text.contains(where: \.isSpace) else {
            throw Fault(
                message: ForeignTag.advice(for: text)
                    ?? "the name \"\(name)\" has a space in it: remove it, or close the tag before it",
                offset: start)
        }
        guard isPath, name != "." else { return }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.contains(where: \.isEmpty) else { return }
        throw Fault(message: "the name \"\(name)\" has an empty part: write one between the dots", offset: start)
    }

    private mutating func setDelimiters(_ text: ArraySlice<UInt8>, start: Int) throws(Fault) {
        let marks = text.split(whereSeparator: \.isSpace)
        guard marks.count == 2, !marks.joined().contains(UInt8(ascii: "=")) else {
            throw Fault(
                message: "the delimiters are not two marks: write them like {{=<% %>=}}, without an equals sign",
                offset: start)
        }
        delimiters = TemplateDelimiters(open: Array(marks[0]), close: Array(marks[1]))
    }
}

/// A tag that other template languages have, and Mustache does not.
private enum ForeignTag {
    private static let decisions = ["if", "unless", "each", "for", "with", "else", "elseif", "elif"]
    private static let inclusions = ["extends", "include", "partial", "yield", "block"]
    private static let operators = ["|", "||", "&&", "==", "!=", "<", ">", "<=", ">=", "?", "+"]
    private static let ends = ["endif", "endfor", "endeach", "endblock"]
    private static let wordsOfLists = ["@index", "@key", "@first", "@last"]

    /// The advice for a tag with a space in it; nil for one that has none of the known words.
    static func advice(for tag: ArraySlice<UInt8>) -> String? {
        let words = tag.split(whereSeparator: \.isSpace).map { String(decoding: $0, as: UTF8.self) }
        guard let first = words.first, let last = words.last else { return nil }
        if decisions.contains(first) { return decision(first, on: words.count == 2 && isName(last) ? last : "name") }
        if inclusions.contains(first) {
            return "Mustache has no \(first): {{<layout}}…{{/layout}} fills the blocks of a layout, and {{>header}} "
                + "inserts a template"
        }
        return words.contains(where: operators.contains) ? computation : nil
    }

    private static let computation =
        "Mustache computes nothing: make the value a property of the page, ready to be shown"

    /// The advice for a tag of one word; nil for the name of a value.
    static func advice(forWord word: String) -> String? {
        if word == "else" { return decision(word, on: "name") }
        if word.utf8.contains(UInt8(ascii: "|")) { return computation }
        if ends.contains(word) { return "Mustache has no \(word): a section {{#name}} ends with {{/name}}" }
        guard wordsOfLists.contains(word) else { return nil }
        return "Mustache has no \(word): give it to each element of the list as a property"
    }

    private static func decision(_ word: String, on name: String) -> String {
        "Mustache has no \(word): {{#\(name)}}…{{/\(name)}} is shown for true, and for each element of a list, "
            + "{{^\(name)}}…{{/\(name)}} otherwise"
    }

    private static func isName(_ word: String) -> Bool {
        word.utf8.allSatisfy { $0.isLetterOrDigit || "_.".utf8.contains($0) }
    }
}
