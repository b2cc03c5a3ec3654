package import PatternCore

/// `Templates/patterns/chapter.mustache`
package struct ChapterPage: Encodable, Sendable {
    let name: String
    /// The template with its words.
    let words: String
    let screens: [Link]
    let hasTrace: Bool
    let calls: [TraceRow]
    let features: [FeatureSection]

    /// - Parameter calls: What the visitor's last interaction called.
    package init(_ pattern: Pattern, calls: [TracedCall]) {
        let chapter = Chapter.chapter(pattern)
        name = pattern.name
        words = "patterns/chapters/" + pattern.rawValue
        screens = chapter?.links ?? []
        hasTrace = !calls.isEmpty
        self.calls = TraceRow.rows(calls, chapter)
        features = FeatureSection.sections(of: pattern)
    }
}
