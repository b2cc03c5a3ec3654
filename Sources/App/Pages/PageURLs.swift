import Roost

/// The URLs of the pages beside one of a list; nil where there is none.
struct PageURLs: Sendable {
    var previous: String?
    var next: String?

    /// The `Link` fields that lead programs to them (RFC 8288).
    var links: Headers {
        var links: Headers = [:]
        if let next { links.append(.link, "<\(next)>; rel=\"next\"") }
        if let previous { links.append(.link, "<\(previous)>; rel=\"prev\"") }
        return links
    }
}
