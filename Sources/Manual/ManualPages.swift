/// `Templates/manual/page.mustache`
package struct ManualPageView: Encodable, Sendable {
    let title: String
    /// The page's own HTML, which is made from Markdown and needs no escaping.
    let html: String
    /// The text of the search beside it: none.
    let query = ""
    let contents: [ManualPart]

    package init(_ page: ManualPage, in manual: Manual) {
        title = page.title
        html = page.html
        contents = manual.parts.map { ManualPart($0, current: page) }
    }
}

/// `Templates/manual/search.mustache`
package struct ManualResultsView: Encodable, Sendable {
    let query: String
    /// `One place`, `12 places`, or `The first 30 places`.
    let count: String
    let results: [ManualSearch.Result]
    let contents: [ManualPart]

    package init(_ query: String, _ results: [ManualSearch.Result], in manual: Manual) {
        self.query = String(query.prefix(100))
        let isCut = results.count == ManualSearch.maximumResults
        count = results.count == 1 ? "One place" : "\(isCut ? "The first " : "")\(results.count) places"
        self.results = results
        contents = manual.parts.map { ManualPart($0, current: nil) }
    }
}

/// A part of the contents, which stand beside every page.
struct ManualPart: Encodable, Sendable {
    struct Entry: Encodable, Sendable {
        let title, path: String
        let isCurrent: Bool
        /// The headings of the page, if it is the one that is shown.
        let headings: [Heading]
    }

    struct Heading: Encodable, Sendable {
        let text, anchor: String
    }

    let title: String
    let entries: [Entry]

    init(_ part: Manual.Part, current: ManualPage?) {
        title = part.title
        entries = part.entries.map { entry in
            let isCurrent = entry.page.name == current?.name
            let headings = isCurrent ? entry.page.sections.filter { $0.level == 2 } : []
            return Entry(
                title: entry.page.title, path: entry.page.path, isCurrent: isCurrent,
                headings: headings.map { Heading(text: $0.heading, anchor: $0.anchor) })
        }
    }
}
