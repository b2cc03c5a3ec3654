/// Something wrong in a template, or between a template and its page: what, where, and what to do.
///
/// Its description is meant for a terminal; ``location`` is for a page that shows the excerpt.
public struct TemplateError: Error, Sendable, Equatable {
    /// What went wrong and what to do, in one sentence.
    public let message: String
    /// Where it went wrong; `nil` when the fault has no place in a file.
    public let location: TemplateLocation?
    /// The tags that led there, the innermost first: a partial's error names who included it.
    public let includedFrom: [TemplateLocation]

    init(_ message: String, at location: TemplateLocation? = nil, includedFrom: [TemplateLocation] = []) {
        self.message = message
        self.location = location
        self.includedFrom = includedFrom
    }
}

extension TemplateError: CustomStringConvertible {
    /// `file:line:column: message`, the line, and a caret below the column.
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
    /// How much of a long line an error shows.
    private static var excerptWidth: Int { 160 }

    private var excerptStart: Int { column > Self.excerptWidth ? column - Self.excerptWidth / 2 : 0 }

    /// The place as editors and terminals read it.
    var place: String { "\(file):\(line):\(column)" }

    /// The source line, cut around the column when it is very long.
    var excerpt: String { cut(sourceLine) }

    /// A line of the file where the excerpt is cut; what would steer a terminal shows as U+FFFD.
    func cut(_ text: String) -> String {
        let shown = text.unicodeScalars.dropFirst(excerptStart).prefix(Self.excerptWidth)
        let plain = shown.map { scalar -> Unicode.Scalar in
            scalar != "\t" && scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(plain))
    }

    /// Blanks up to the column and a caret; tabs stay tabs, so that both lines align.
    var caretLine: String {
        let before = sourceLine.unicodeScalars.dropFirst(excerptStart).prefix(max(column - 1 - excerptStart, 0))
        return String(String.UnicodeScalarView(before.map { $0 == "\t" ? "\t" : " " })) + "^"
    }
}

/// All that is wrong with a set of templates, or with one page, found in one go.
public struct TemplateErrors: Error, Sendable, Equatable, CustomStringConvertible {
    /// The errors in the order of files and lines; never empty.
    public let errors: [TemplateError]

    /// The errors one below the other, then their number.
    public var description: String {
        let list = errors.map(\.description).joined(separator: "\n")
        return errors.count == 1 ? list : list + "\n\(errors.count) errors in templates."
    }
}
