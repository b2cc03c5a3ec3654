/// The markup in the source of a template, as far as it can be known before there is a page.
///
/// Mustache's tags are blank in it, and tags that show a value read as a word, so that each byte keeps its place.
struct SourceMarkup {
    let source: TemplateSource
    let markup: Markup
    /// The places of sections and blocks, whose content a page may do without.
    private var conditional: [Range<Int>] = []
    /// The places of tags that bring other templates or HTML.
    private var included: [Range<Int>] = []

    init(_ source: TemplateSource) {
        self.source = source
        var bytes = source.bytes
        var scanner = TemplateScanner(source.bytes)
        var starts: [Int] = []
        // The templates are compiled already, so that there is nothing that the scanner would refuse.
        while let tag = try? scanner.next() {
            switch tag.kind {
            case .section, .inverted: starts.append(tag.range.lowerBound)
            case .block, .parent:
                starts.append(tag.range.lowerBound)
                included.append(tag.range)
            case .close:
                if let start = starts.popLast(), starts.isEmpty { conditional.append(start..<tag.range.upperBound) }
            case .partial, .raw: included.append(tag.range)
            case .escaped, .asset, .translation, .formatted, .liveScript, .comment, .delimiters: break
            }
            let isWord =
                switch tag.kind {
                case .escaped, .raw, .asset, .translation, .formatted: true
                default: false
                }
            for place in tag.range { bytes[place] = UInt8(ascii: isWord ? "x" : " ") }
        }
        markup = Markup(bytes)
    }

    /// The mistakes of elements that are live, but have no id that a browser could find them by.
    var mistakes: [TemplateError] {
        markup.elements.filter { element in
            element.isLive && element.id?.isEmpty ?? true && !isText(element) && !Self.sent.contains(element.name)
                && !includesAttributes(element)
        }
        .map { error("a live element is found by its id: give <\($0.name)> one", at: $0.range.lowerBound) }
    }

    /// Whether a template has the attribute that makes an element live. Most do not, and need not be read.
    static func hasLiveElements(_ source: TemplateSource) -> Bool {
        let (bytes, name) = (source.bytes, Array("data-live".utf8))
        return bytes.indices.contains { start in
            bytes[start].lowercased == name[0]
                && bytes[start...].prefix(name.count).elementsEqual(name) { $0.lowercased == $1 }
        }
    }

    /// Whether an element is the text of a field, and none for a browser.
    private func isText(_ element: Markup.Element) -> Bool {
        markup.elements.contains { $0.name == "textarea" && $0.content.contains(element.range.lowerBound) }
    }

    /// Whether attributes of an element are not in the source.
    private func includesAttributes(_ element: Markup.Element) -> Bool {
        included.contains { $0.overlaps(element.range.lowerBound..<element.content.lowerBound) }
    }

    /// The elements that `data-live` has sent by the script, and that are not kept up to date by it.
    private static let sent: Set<String> = ["a", "form"]

    /// The mistakes that keep the template from being a fragment of a live page, whatever its values are.
    var fragmentMistakes: [TemplateError] {
        let certain = markup.roots.filter { root in !conditional.contains { $0.contains(root.range.lowerBound) } }
        if certain.count > 1 {
            return [
                error(
                    "a fragment of a live page has one element at its root: put all of it in one",
                    at: certain[1].range.lowerBound)
            ]
        }
        guard let root = certain.first else {
            let isDecided = markup.roots.isEmpty && conditional.isEmpty && included.isEmpty
            return isDecided ? [error("a fragment of a live page has an element at its root: write one", at: 0)] : []
        }
        guard root.id?.isEmpty ?? true, !includesAttributes(root) else { return [] }
        return [
            error(
                "the root of a fragment of a live page is found by its id: give <\(root.name)> one",
                at: root.range.lowerBound)
        ]
    }

    private func error(_ message: String, at place: Int) -> TemplateError {
        TemplateError(message, at: source.location(of: place))
    }
}

extension Templates {
    /// Checks at start what browsers find live elements by.
    /// - Throws: ``TemplateErrors`` with all elements that have `data-live`, but no id.
    func checkLiveElements() throws {
        let mistakes = try program.tables.sources
            .filter { !Self.isText($0.name) && SourceMarkup.hasLiveElements($0) }
            .flatMap { SourceMarkup($0).mistakes }
        if !mistakes.isEmpty { throw TemplateErrors(errors: mistakes.inReadingOrder()) }
    }

    /// Checks at start the templates that are fragments of a live page.
    /// - Throws: ``TemplateErrors`` with those that do not exist, and those whose root is not one element with an id,
    ///   as far as that does not depend on a page.
    func checkFragments(_ names: [String]) throws {
        let program = try program
        let mistakes = names.flatMap { name in
            program.tables.templates[ExactText(name)].map { SourceMarkup(program.tables.sources[$0]).fragmentMistakes }
                ?? [unknown(name, in: program)]
        }
        if !mistakes.isEmpty { throw TemplateErrors(errors: mistakes.inReadingOrder()) }
    }
}
