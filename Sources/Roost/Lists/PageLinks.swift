/// The URLs of the pages beside one of a list; nil where there is none. A template shows them:
///
///     {{#links}}
///     {{#previous}}<a href="{{.}}" rel="prev">Previous</a>{{/previous}}
///     {{#next}}<a href="{{.}}" rel="next">Next</a>{{/next}}
///     {{/links}}
public struct PageLinks: Sendable, Equatable, Encodable {
    /// The URL of the page before.
    public var previous: String?
    /// The URL of the page after.
    public var next: String?

    /// Creates links, for instance for a test.
    public init(previous: String? = nil, next: String? = nil) {
        (self.previous, self.next) = (previous, next)
    }

    /// Whether there is another page.
    public var isEmpty: Bool { previous == nil && next == nil }

    /// The `Link` fields that lead programs to them (RFC 8288).
    public var headers: Headers {
        var headers: Headers = [:]
        if let next { headers.append(.link, "<\(next)>; rel=\"next\"") }
        if let previous { headers.append(.link, "<\(previous)>; rel=\"prev\"") }
        return headers
    }
}
