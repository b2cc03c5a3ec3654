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
