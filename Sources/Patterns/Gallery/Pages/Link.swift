import PatternCore

/// A link of a page.
struct Link: Encodable, Sendable {
    let name: String
    let url: String
}

extension Chapter {
    /// The links to its screens.
    var links: [Link] { screens.map { Link(name: $0.name, url: pattern.path + "/" + $0.path) } }
}
