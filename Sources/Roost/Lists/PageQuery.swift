/// The page of a list that a client asks for: `?limit=20&after=50&sort=-name`.
///
///     let page = try await database.page(
///         PageQuery(request), "SELECT id, name FROM rooms", order: Self.order, as: Room.self)
///
/// The cursor of `after` or `before` comes from a link of another page (``PageLinks``).
public struct PageQuery: Sendable, Equatable {
    /// The place in a list where a page begins or ends, given by the cursor of a row.
    public enum Start: Sendable, Equatable {
        /// At the first row.
        case first
        /// After a row.
        case after(String)
        /// Before a row, which the page's last row precedes.
        case before(String)
    }

    /// The most rows on the page: at least one.
    public var limit: Int { didSet { limit = Self.possible(limit) } }
    /// The place where the page begins or ends.
    public var start: Start
    /// The name of the requested order, without its sign; nil for the list's default.
    public var sort: String?
    /// Whether the order is reversed: `sort=-name`.
    public var isDescending: Bool
    /// The path of the list, and the other fields of the query, such as filters; the links keep them.
    private var path: String
    private var others: [Form.Field]

    /// Creates a query, for instance for a test.
    public init(
        path: String = "/", limit: Int = 50, start: Start = .first, sort: String? = nil, isDescending: Bool = false
    ) {
        (self.path, self.limit, self.start, self.sort) = (path, Self.possible(limit), start, sort)
        self.isDescending = isDescending
        others = []
    }

    /// Reads a request's query: `limit`, `after` or `before`, and `sort`.
    /// - Parameters:
    ///   - limit: The number of rows if the client names none.
    ///   - maximum: The most rows that the client may request.
    /// - Throws: ``HTTPError`` with 400 for an invalid limit, for both cursors at once, and for what is not UTF-8.
    public init(_ request: Request, limit: Int = 50, maximum: Int = 200) throws(HTTPError) {
        let query = try request.checkedQuery()
        let path = request.bytes.text(request.head.path)
        // To a browser, `//other.example` is another site, and `/.//other.example` a path on this one.
        self.init(path: LocalPath(path)?.text ?? "/." + path, limit: limit)
        guard !query.fields.isEmpty else { return }
        if let text = query["limit"] {
            guard let limit = Int(text), (1...max(1, maximum)).contains(limit) else {
                throw Self.wrong(
                    "limit", Sentence("limit must be a whole number from 1 to {maximum}.", ["maximum": maximum]))
            }
            self.limit = Self.possible(limit)
        }
        if let text = query["sort"], !text.isEmpty {
            isDescending = text.utf8.first == UInt8(ascii: "-")
            sort = isDescending ? String(text.dropFirst()) : text
        }
        switch (query["after"], query["before"]) {
        case (nil, nil): break
        case (let after?, nil): start = .after(after)
        case (nil, let before?): start = .before(before)
        case (.some, .some): throw Self.wrong("before", Sentence("after and before cannot be used together."))
        }
        others = query.fields.filter { !["after", "before"].contains($0.name) && !$0.value.isEmpty }
    }

    /// The nearest limit for which one row more can be read, by which it is known whether there are more.
    private static func possible(_ limit: Int) -> Int { max(1, min(limit, .max - 1)) }

    /// The error for a cursor that no page of the list has given out.
    package var unknownCursor: HTTPError {
        var name = "after"
        if case .before = start { name = "before" }
        return Self.wrong(name, Sentence("{name} must come from a Link header of this list.", ["name": name]))
    }

    /// The error for an order that the list does not have.
    package func unknownSort(among names: [String]) -> HTTPError {
        guard !names.isEmpty else { return Self.wrong("sort", Sentence("This list cannot be sorted.")) }
        let list = names.flatMap { [$0, "-" + $0] }.joined(separator: ", ")
        return Self.wrong("sort", Sentence("sort must be one of: {names}.", ["names": list]))
    }

    private static func wrong(_ name: String, _ sentence: Sentence) -> HTTPError {
        var error = HTTPError(.badRequest, sentence)
        error.parts = [HTTPError.Part(parameter: name, sentence)]
        return error
    }

    /// The URL of a page beside this one, or without a cursor of the first one, with the same filters and order.
    @usableFromInline
    func url(_ parameter: String? = nil, _ cursor: String = "") -> String {
        let fields = others.map { ($0.name, $0.value) } + (parameter.map { [($0, cursor)] } ?? [])
        return fields.isEmpty ? path : path + "?" + Form(fields).urlEncoded
    }
}
