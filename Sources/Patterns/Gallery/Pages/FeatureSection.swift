import PatternCore

/// One feature on a chapter's page.
struct FeatureSection: Encodable, Sendable {
    let name: String
    let url: String
    /// SVG.
    let diagram: String
    let relations: [String]
    let sources: [SourceSection]

    /// Those of a pattern, made at the first look.
    static func sections(of pattern: Pattern) -> [FeatureSection] { all[pattern] ?? [] }

    private static let all = Dictionary(
        uniqueKeysWithValues: Chapter.all.map { chapter in
            (chapter.pattern, zip(chapter.features, chapter.links).map { FeatureSection($0, $1) })
        })

    private init(_ feature: Feature, _ link: Link) {
        name = link.name
        url = link.url
        diagram = Diagram(feature).svg
        relations = feature.relations.map(\.description)
        sources = feature.roles.compactMap(SourceSection.section)
    }
}
