import PatternCore

/// `Templates/patterns/index.mustache`
package struct ComparisonPage: Encodable, Sendable {
    struct Card: Encodable, Sendable {
        let name: String
        let url: String
        /// SVG.
        let diagram: String
        let screens: [Link]
    }

    struct Link: Encodable, Sendable {
        let name: String
        let url: String
    }

    struct Row: Encodable, Sendable {
        let name: String
        let columns: [String]
    }

    let chapters: [Card]
    let rows: [Row]
    let measured: String

    package init() {
        chapters = Chapter.all.map { chapter in
            Card(
                name: chapter.pattern.name, url: chapter.pattern.path, diagram: chapter.diagram,
                screens: chapter.features.map { Link(name: $0.title, url: $0.url) })
        }
        rows = LoginFigures.all.map { Row(name: $0.pattern.name, columns: $0.columns) }
        measured = LoginFigures.measured
    }
}
