package import PatternCore

/// `Templates/patterns/chapter.mustache`
package struct ChapterPage: Encodable, Sendable {
    struct Section: Encodable, Sendable {
        let name: String
        let url: String
        /// SVG.
        let diagram: String
        /// The diagram in words.
        let arrows: [String]
        /// The template that goes through it step by step; only the first feature of a pattern has one.
        let walk: String?
        let sources: [Source]
    }

    struct Call: Encodable, Sendable {
        let role: String
        let function: String
    }

    let name: String
    /// The template with its words.
    let words: String
    /// SVG.
    let diagram: String
    let entry: [Source]
    let features: [Section]
    let shared: [Source]
    let hasCalls: Bool
    let calls: [Call]

    /// - Parameter calls: The calls of the visitor's last interaction, such as `LoginPresenter.viewDidLoad()`.
    package init(_ pattern: Pattern, calls: [String]) {
        let chapter = Chapter.of(pattern)
        name = pattern.name
        words = "patterns/chapters/" + pattern.rawValue
        diagram = chapter.diagram
        entry = chapter.entry
        features = chapter.features.enumerated().map { index, feature in
            Section(
                name: feature.title, url: feature.url, diagram: feature.diagram, arrows: feature.arrows,
                walk: index == 0 ? "patterns/walks/" + pattern.rawValue : nil,
                sources: feature.sources)
        }
        shared = Chapter.shared
        hasCalls = !calls.isEmpty
        self.calls = calls.map { call in
            let role = call.prefix { $0 != "." }
            return Call(role: String(role), function: String(call.dropFirst(role.count + 1)))
        }
    }
}
