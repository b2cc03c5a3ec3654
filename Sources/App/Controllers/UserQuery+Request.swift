import Roost

// A page of the list as it is written in a URL: `/users?name=ne&limit=10&after=1.nelson`.

extension UserQuery {
    /// The parameters, for the description of the API.
    struct Parameters: Decodable, Validatable {
        var name: String?
        var limit: Int?
        var after: String?
        var before: String?

        mutating func validate(_ check: inout Validation) {
            check("name", &name, .length(...User.maximumNameBytes))
            check("limit", limit, .range(1...UserQuery.maximumLimit))
        }
    }

    /// Reads a request's query. `decodeQuery` reads a plain filter (`docs/requests.md`); these parameters depend on
    /// each other.
    /// - Throws: `HTTPError` with 400 for an invalid value.
    init(_ request: Request) throws {
        let query = request.query
        name = query["name"] ?? ""
        guard name.utf8.count <= User.maximumNameBytes else {
            throw HTTPError(.badRequest, "name is longer than any user's name can be.")
        }
        if let text = query["limit"] {
            guard let limit = Int(text), (1...Self.maximumLimit).contains(limit) else {
                throw HTTPError(.badRequest, "limit must be a whole number from 1 to \(Self.maximumLimit).")
            }
            self.limit = limit
        }
        switch (query["after"], query["before"]) {
        case (nil, nil): break
        case (let after?, nil): start = .after(try place(after, "after"))
        case (nil, let before?): start = .before(try place(before, "before"))
        case (.some, .some): throw HTTPError(.badRequest, "after and before cannot be used together.")
        }
    }

    /// Reads an id; in a search it is followed by a dot and the key of the name.
    private func place(_ text: String, _ parameter: String) throws -> UserPlace {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let key = parts.count > 1 ? String(parts[1]) : ""
        guard let id = Int(parts[0]), key.isEmpty == (keyPrefix == nil), key.utf8.count <= 4 * User.maximumNameBytes
        else {
            throw HTTPError(.badRequest, "\(parameter) must come from a Link header of this list.")
        }
        return UserPlace(id: id, key: key)
    }

    /// The URL of a page with the same search.
    private func url(_ parameter: String, _ user: User) -> String {
        let place = UserPlace(user, in: self)
        var fields: [(String, String)] = []
        if !name.isEmpty { fields.append(("name", name)) }
        if limit != UserQuery().limit { fields.append(("limit", "\(limit)")) }
        fields.append((parameter, place.key.isEmpty ? "\(place.id)" : "\(place.id).\(place.key)"))
        return UserController.paths.all.url() + "?" + Form(fields).urlEncoded
    }

    /// The URLs of the pages beside one of the list.
    fileprivate func neighbors(of slice: UserSlice) -> PageURLs {
        PageURLs(
            previous: slice.hasPrevious ? slice.users.first.map { url("before", $0) } : nil,
            next: slice.hasNext ? slice.users.last.map { url("after", $0) } : nil)
    }
}

/// A page of the list with its neighbours, as a response shows it.
struct UserListPage: Sendable {
    let query: UserQuery
    let slice: UserSlice
    let neighbors: PageURLs

    init(_ query: UserQuery, _ slice: UserSlice) {
        self.query = query
        self.slice = slice
        neighbors = query.neighbors(of: slice)
    }
}

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
