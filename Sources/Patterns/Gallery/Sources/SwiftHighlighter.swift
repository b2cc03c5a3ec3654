/// Makes HTML of Swift: comments, texts, keywords, attributes, types and numbers get a `span` each.
///
/// It reads what the sources of the gallery have: line comments, and texts within a line.
struct SwiftHighlighter {
    private var rest: Substring
    private var html = ""

    static func html(_ source: String) -> String {
        var highlighter = SwiftHighlighter(rest: source[...])
        highlighter.run()
        return highlighter.html
    }

    private init(rest: Substring) { self.rest = rest }

    private mutating func run() {
        while let first = rest.first {
            if rest.hasPrefix("//") {
                span("c", rest.prefix { $0 != "\n" })
            } else if first == "\"" {
                span("s", rest.prefix(textLength))
            } else if first == "@" || first == "#" {
                span("a", rest.prefix { $0 == first || Self.isWord($0) })
            } else if first == "$" {
                plain(rest.prefix { $0 == first || Self.isWord($0) })
            } else if first.isNumber {
                span("n", rest.prefix(while: Self.isWord))
            } else if Self.isWord(first) {
                word(rest.prefix(while: Self.isWord))
            } else {
                plain(rest.prefix(1))
            }
        }
    }

    private mutating func word(_ word: Substring) {
        if Self.keywords.contains(word) {
            span("k", word)
        } else if word.first?.isUppercase == true {
            span("t", word)
        } else {
            plain(word)
        }
    }

    /// Up to the quote that ends the text; quotes within `\(…)` do not.
    private var textLength: Int {
        var (length, depth, isEscaped) = (0, 0, false)
        for character in rest {
            length += 1
            defer { isEscaped = character == "\\" && !isEscaped }
            if isEscaped, character == "(" { depth += 1 } else if depth > 0, character == "(" { depth += 1 }
            if depth > 0, character == ")" { depth -= 1 }
            if character == "\n" || length > 1 && depth == 0 && character == "\"" && !isEscaped { break }
        }
        return length
    }

    private mutating func span(_ kind: String, _ text: Substring) {
        html += "<span class=\"\(kind)\">"
        plain(text)
        html += "</span>"
    }

    private mutating func plain(_ text: Substring) {
        for character in text {
            switch character {
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "&": html += "&amp;"
            case "\"": html += "&quot;"
            default: html.append(character)
            }
        }
        rest = rest[text.endIndex...]
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    private static let keywords: Set<Substring> = [
        "any", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue", "default",
        "defer", "do", "else", "enum", "extension", "false", "final", "for", "func", "get", "guard", "if", "import",
        "in",
        "init", "inout", "internal", "is", "let", "nil", "nonisolated", "override", "package", "private", "protocol",
        "public", "repeat", "return", "self", "Self", "set", "some", "static", "struct", "subscript", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "weak", "where", "while",
    ]
}
