/// One tag of a template: its kind and name, and what surrounds it on its line.
struct TemplateTag {
    enum Kind: Equatable {
        case escaped, raw, asset, liveScript, section, inverted, close, comment, delimiters, partial, parent, block
        /// The text is empty if the value of the only path is the text.
        case translation(text: String, paths: [String])
        case formatted(ValueFormat, path: String)
    }

    let kind: Kind
    /// The name inside the tag, without the sigil and the white space around it.
    let name: String
    /// Whether an asterisk says that the name is looked up in the data (`{{>*name}}`).
    let isDynamic: Bool
    /// The bytes of the tag, delimiters included.
    let range: Range<Int>
    /// The offset at which the tag's line begins.
    let lineStart: Int
    /// Whether only blanks stand before the tag on its line.
    let clearsStart: Bool
    /// The offset at which the next line begins (or the text ends), if only blanks stand after the tag on its line;
    /// else `nil`.
    let nextLine: Int?

    /// Whether the tag stands alone on its line, which the specification calls standalone.
    var isAlone: Bool { clearsStart && nextLine != nil }

    /// The name as it must be repeated in the closing tag.
    var closingName: String { isDynamic ? "*" + name : name }

    /// Whether another tag closes this one. Names are compared by their bytes.
    func isClosed(by tag: TemplateTag) -> Bool { ExactText(closingName) == ExactText(tag.closingName) }

    /// The tag's sigil and name, as errors quote it.
    var quoted: String {
        if case .translation = kind { return "{{t \(name)}}" }
        if kind == .asset { return "{{asset(\"\(name)\")}}" }
        let sigil = Self.sigils.first { $0.kind == kind }.map { String($0.sigil) } ?? ""
        return "{{\(sigil)\(closingName)}}"
    }

    /// The sigils with the kinds of the tags that they begin. Errors quote the first of a kind.
    private static let sigils: [(sigil: Unicode.Scalar, kind: Kind)] = [
        ("#", .section), ("^", .inverted), ("/", .close), ("!", .comment), (">", .partial), ("<", .parent),
        ("$", .block), ("&", .raw), ("{", .raw), ("=", .delimiters),
    ]

    /// The kind of the tags that begin with a sigil; nil for any other byte.
    static func kind(of sigil: UInt8) -> Kind? {
        sigils.first { UInt8(ascii: $0.sigil) == sigil }?.kind
    }
}

/// A tag that other template languages have, and Mustache does not.
enum ForeignTag {
    private static let decisions = ["if", "unless", "each", "for", "with", "else", "elseif", "elif"]
    private static let inclusions = ["extends", "include", "partial", "yield", "block"]
    private static let operators = ["|", "||", "&&", "==", "!=", "<", ">", "<=", ">=", "?", "+"]
    private static let ends = ["endif", "endfor", "endeach", "endblock"]
    private static let wordsOfLists = ["@index", "@key", "@first", "@last"]

    /// What to write in place of a tag with a space in it; nil for one that has none of the known words.
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

    /// What to write in place of a tag of one word; nil for the name of a value.
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
