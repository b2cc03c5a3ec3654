/// A mistake in a template, or a mismatch between a template and its page, with its place and what to do.
///
/// The description is for a terminal.
public struct TemplateError: Error, Sendable, Equatable {
    /// The mistake and its remedy, in one sentence.
    public let message: String
    /// The place of the mistake; `nil` if it has no place in a file.
    package let location: TemplateLocation?
    /// The tags that led there, the innermost first, such as the one that included a partial.
    package let includedFrom: [TemplateLocation]

    init(_ message: String, at location: TemplateLocation? = nil, includedFrom: [TemplateLocation] = []) {
        self.message = message
        self.location = location
        self.includedFrom = includedFrom
    }
}

extension TemplateError: CustomStringConvertible {
    /// `file:line:column: message`, the line, a caret below the column, and the tags that led there.
    public var description: String {
        // A message may quote data, which must not forge a line.
        let message = LogText.escaped(message)
        guard let location else { return message }
        var text = "\(location.place): \(message)"
        text += "\n    \(location.excerpt)\n    \(location.caretLine)"
        for place in includedFrom { text += "\n    from \(place.place)" }
        return text
    }
}

extension TemplateLocation {
    /// The number of Unicode scalars that an error shows of a long line.
    private static var excerptWidth: Int { 160 }

    private var excerptStart: Int { column > Self.excerptWidth ? column - Self.excerptWidth / 2 : 0 }

    /// The place as editors and terminals read it.
    var place: String { "\(file):\(line):\(column)" }

    /// The source line, cut around the column when it is very long.
    var excerpt: String { cut(sourceLine) }

    /// The part of a line that is in the columns of the excerpt. Control characters, which could steer a terminal,
    /// become U+FFFD.
    func cut(_ text: String) -> String {
        let shown = text.unicodeScalars.dropFirst(excerptStart).prefix(Self.excerptWidth)
        let plain = shown.map { scalar -> Unicode.Scalar in
            scalar != "\t" && scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(plain))
    }

    /// Spaces up to the column, then a caret. Tabs stay tabs, so that the caret stands below the column.
    var caretLine: String {
        let before = sourceLine.unicodeScalars.dropFirst(excerptStart).prefix(max(column - 1 - excerptStart, 0))
        return String(String.UnicodeScalarView(before.map { $0 == "\t" ? "\t" : " " })) + "^"
    }
}

/// The mistakes in a set of templates, or between templates and sample pages, reported together.
public struct TemplateErrors: Error, Sendable, Equatable, CustomStringConvertible {
    /// The errors, sorted by file and line; never empty.
    package let errors: [TemplateError]

    /// The errors one below the other, then their number.
    public var description: String {
        let list = errors.map(\.description).joined(separator: "\n")
        return errors.count == 1 ? list : list + "\n\(errors.count) errors in templates."
    }
}
