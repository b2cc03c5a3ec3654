import Roost

/// The list of users: everybody may read it, and those who have signed in may change it.
struct UserController: Controller {
    static let all = Path("/users")
    static let one = Path("/users/{id}", Int.self)
    /// The path of the event stream of changes to the list.
    static let events = Path("/users/events")
    /// The path that the page's form to remove a user is sent to, since a form can send only GET and POST.
    static let removal = Path("/users/{id}/delete", Int.self)

    /// The scope of the API tokens by which programs may change the list.
    static let writing = "users:write"

    let users: any UserRepository
    let pictures: any FileStore
    /// The middleware that lets pass only those who may change the list.
    let writers: any Middleware

    func routes(_ routes: Routes) {
        routes.get(Self.all, use: index)
        routes.get(Self.one, use: show)
        routes.events(Self.events, use: changes)
        routes.group(middleware: [writers] + OwnChanges.middleware(users)) { routes in
            routes.post(Self.all, use: create)
            routes.patch(Self.one, use: rename)
            routes.post(Self.one, use: rename)
            routes.delete(Self.one, use: remove)
            routes.post(Self.removal, use: remove)
        }
    }

    /// `GET /users`: a page for a browser, JSON for everyone else. `Link` leads to the neighbouring pages of the list
    /// (RFC 8288).
    func index(_ request: Request) async throws -> Response {
        var query = try UserQuery(request)
        if users.hasCopy { query.position = OwnChanges.position(request) }
        // What happens after this is told to the page, even if it is already in the list.
        let lastChange = users.changes.lastID
        let slice = try await users.list(query)
        let neighbors = query.neighbors(of: slice)
        let links = neighbors.links
        let seen = slice.lastChange ?? lastChange
        return request.negotiate(
            headers: links, json: slice.users,
            html: View("users/index", UsersPage(slice, query, neighbors, lastChange: seen), headers: links))
    }

    /// `GET /users/events`: `added`, `renamed` and `removed`, each with the user as JSON. One who has missed something
    /// gets `reset` first, and reads the list again. A page says in the query what it has seen, because a script cannot
    /// set the header.
    func changes(_ request: Request, events: EventWriter) async throws {
        try await events.send(users.changes(after: request.lastEventID ?? request.query["after"]))
    }

    /// `GET /users/3`: as JSON with the version as its entity tag.
    func show(_ request: Request, id: Int) async throws -> Response {
        guard let user = try await users.user(id) else { throw Self.unknown(id) }
        if !request.prefersPage, request.isFresh(user.tag) { return Response(.notModified, headers: user.tagFields) }
        return request.negotiate(headers: user.tagFields, json: user, html: View("users/show", UserPage(user)))
    }

    /// `POST /users`: from the page's form, or as JSON.
    func create(_ request: Request) async throws -> Response {
        try await request.handleForm(UserInput.self) { input in
            let user = try await add(UserName(input.name ?? ""))
            let url = Self.one.url(user.id)
            if request.isForm {
                try request.flash("\(user.name) was added.")
                return .redirect(to: url)
            }
            var headers = user.tagFields
            headers[.location] = url
            return .json(user, status: .created, headers: headers)
        } invalid: { form in
            let lastChange = users.changes.lastID
            let (slice, query) = (try await users.list(UserQuery()), UserQuery())
            let page = UsersPage(slice, query, query.neighbors(of: slice), lastChange: lastChange, form)
            return View("users/index", page)
        }
    }

    private func add(_ name: UserName) async throws -> User {
        do {
            return try await users.add(name)
        } catch is RepositoryFull {
            throw HTTPError(.serviceUnavailable, "No more users can be added now.", headers: [.retryAfter: "3600"])
        }
    }

    /// `PATCH /users/3` with JSON, or `POST /users/3` from the page's form.
    func rename(_ request: Request, id: Int) async throws -> Response {
        try await request.handleForm(UserInput.self) { input in
            let version = try await version(input.version, id, request)
            switch try await users.rename(id, to: UserName(input.name ?? ""), version: version) {
            case .missing: throw Self.unknown(id)
            case .conflict: return try await conflict(id, request, typed: input.name)
            case .done(let user):
                if request.isForm {
                    try request.flash("The name is now \(user.name).")
                    return .redirect(to: Self.one.url(id))
                }
                return .json(user, headers: user.tagFields)
            }
        } invalid: { form in
            guard let user = try await users.user(id) else { throw Self.unknown(id) }
            return View("users/show", UserPage(user, typed: form["name"], error: form.message(for: "name")))
        }
    }

    /// `DELETE /users/3`, or `POST /users/3/delete` from the page's form.
    func remove(_ request: Request, id: Int) async throws -> Response {
        let shown = request.isForm ? try request.decode(VersionInput.self).version : nil
        let version = try await version(shown, id, request)
        switch try await users.remove(id, version: version) {
        case .missing: throw Self.unknown(id)
        case .conflict: return try await conflict(id, request, typed: nil)
        case .done(let user):
            // A file that stayed would only take room: the user is gone in any case.
            if let picture = user.picture { try? await pictures.remove(picture) }
            guard request.isForm else { return Response(.noContent) }
            try request.flash("\(user.name) was removed.")
            return .redirect(to: Self.all.url())
        }
    }

    /// The version that the client wants to change, from the form or from `If-Match`; nil for any.
    /// - Parameter shown: The one that the form showed.
    /// - Throws: `HTTPError` with 412 when `If-Match` names a version other than the current one (RFC 9110 §13.1.1).
    private func version(_ shown: Int?, _ id: Int, _ request: Request) async throws -> Int? {
        guard request.isConditional else { return shown }
        // Any version will do; the change itself finds out whether there is one.
        if request.headers[.ifMatch] == "*" { return nil }
        guard let user = try await users.user(id) else { throw Self.unknown(id) }
        guard request.ifMatch(user.tag) else { throw Self.changed }
        return user.version
    }

    /// Somebody else was quicker: the page shows the current name beside what was typed.
    private func conflict(_ id: Int, _ request: Request, typed: String?) async throws -> Response {
        guard request.isForm else { throw Self.changed }
        guard let user = try await users.user(id) else { throw Self.unknown(id) }
        let message =
            "Somebody else has changed this user: the name is now “\(user.name)”. Check it, and try again."
        let page = UserPage(user, typed: typed, error: message)
        return .view("users/show", page, status: .conflict)
    }

    /// The error for an id that no user has.
    static func unknown(_ id: Int) -> HTTPError { HTTPError(.notFound, "There is no user \(id).") }

    private static let changed = HTTPError(
        .preconditionFailed, "The user has changed since you read it: read it again, and send its ETag in If-Match.")
}

/// The fields that a client sends to add or rename a user.
private struct UserInput: Decodable, Validatable {
    var name: String?
    /// The version that the form showed.
    var version: Int?

    func validate(_ check: inout Validation) {
        do { _ = try UserName(name ?? "") } catch { check.that("name", false, error.message) }
    }
}

/// The field that the form to remove a user sends: the version that it showed.
private struct VersionInput: Decodable {
    var version: Int?
}

extension User {
    fileprivate var tag: EntityTag { EntityTag("\(version)") }
    fileprivate var tagFields: Headers { Headers(.eTag, tag.description) }
}
