import PatternCore

/// `Templates/patterns/index.mustache`
package struct ComparisonPage: Encodable, Sendable {
    struct Entry: Encodable {
        let name: String
        let url: String
        let screens: [Link]
    }

    struct Row: Encodable {
        let name: String
        let files: Int
        let lines: Int
        let ratio: String
        let protocols: Int
        let rolesWithoutHTTP: String
        let allocations: Int
        let microseconds: String
    }

    let chapters: [Entry]
    let rows: [Row]
    let measured: String

    package init() {
        chapters = Chapter.all.map { chapter in
            Entry(name: chapter.pattern.name, url: chapter.pattern.path, screens: chapter.links)
        }
        rows = LoginFigures.all.compactMap { figures in
            RequestFigures.of(figures.pattern).map { request in
                Row(
                    name: figures.pattern.name,
                    files: figures.files,
                    lines: figures.lines,
                    ratio: figures.ratio,
                    protocols: figures.protocols,
                    rolesWithoutHTTP: "\(figures.rolesWithoutHTTP) of \(figures.roles)",
                    allocations: request.allocations,
                    microseconds: Report.microseconds(request.nanoseconds)
                )
            }
        }
        measured = RequestFigures.measured
    }
}
