/// A page of a long list, with the links to the pages beside it.
///
///     return request.negotiate(
///         headers: page.links.headers, json: page.rows, html: View("rooms/index", RoomsPage(page)))
///
/// A handler may also return it as it is: the rows as JSON, and the links in `Link` fields.
public struct Page<Row: Sendable>: Sendable {
    /// The rows.
    public let rows: [Row]
    /// The URLs of the pages beside it.
    public let links: PageLinks

    /// Creates a page of rows, for instance for a test.
    public init(_ rows: [Row], links: PageLinks = PageLinks()) {
        (self.rows, self.links) = (rows, links)
    }

    /// Makes a page from the rows of a query. Read one row more than the query's limit: that row shows that there is
    /// another page. An empty page other than the first one links to the first one.
    /// - Parameters:
    ///   - rows: The rows in the order in which they were read: from the start onwards, or backwards for
    ///     ``PageQuery/Start/before(_:)``.
    ///   - cursor: The text by which a later query finds a row's place again.
    @inlinable
    public init(read rows: consuming [Row], for query: PageQuery, cursor: (Row) -> String) {
        let hasMore = rows.count > query.limit
        if hasMore { rows.removeLast(rows.count - query.limit) }
        var (hasPrevious, hasNext) = (false, hasMore)
        switch query.start {
        case .first: break
        case .after: hasPrevious = true
        case .before:
            rows.reverse()
            (hasPrevious, hasNext) = (hasMore, true)
        }
        links = PageLinks(
            previous: hasPrevious ? rows.first.map { query.url("before", cursor($0)) } ?? query.url() : nil,
            next: hasNext ? rows.last.map { query.url("after", cursor($0)) } ?? query.url() : nil)
        self.rows = rows
    }

    /// Returns the page with other rows, made of these.
    public func map<Other: Sendable>(_ transform: (Row) throws -> Other) rethrows -> Page<Other> {
        Page<Other>(try rows.map(transform), links: links)
    }
}

extension Page: Equatable where Row: Equatable {}

extension Page: ResponseConvertible where Row: Encodable {
    /// Returns the rows as JSON, with the links in `Link` fields.
    public func response(for request: Request, in context: ResponseContext) throws -> Response {
        try JSON(rows, headers: links.headers).response(for: request, in: context)
    }
}

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
