import Roost
import RoostAuth

/// The list of users: everybody may read it, and those who have signed in may change it.
struct UserController: Controller {
    static let paths = Resource("/users", Int.self)
    /// The event stream of changes to the list.
    static let events = Path("/users/events")
    /// The address of the page's form to remove a user, since a form can send only GET and POST.
    static let removal = paths.one.appending("/delete")

    /// The scope of the API tokens by which programs may change the list.
    static let writing = "users:write"

    let users: any UserRepository
    let pictures: any FileStore
    /// The middleware that lets pass only those who may change the list.
    let writers: any Middleware
    /// The middleware that lets a program repeat a request which adds a user, and get the first one's response.
    var keys: [any Middleware] = []

    func routes(_ routes: Routes) {
        let actions = routes.resource(Self.paths)
        actions.index(use: index)
            .describe(
                "Lists the users, or those whose names begin with a text.", query: UserQuery.Parameters.self,
                returns: [User.Summary].self, isPaginated: true)
        actions.show(use: show)
            .describe(
                "Shows a user.", returns: User.Summary.self, headers: Self.versioned,
                responses: [.notModified: "The client has this version."])
        // Whoever has no cookie sees the same list.
        routes.live(Self.paths.all, on: users.changes, news: \.sentence, sharedBy: { _ in "visitors" })
        routes.live(Self.paths.one, on: users.changes, where: { $0.user.id == $1 }, news: \.sentence)
        routes.events(Self.events, use: follow)
            .describe(
                "Tells the changes to the list: `added`, `renamed`, `pictured` and `removed`, each with the user.")
        routes.group(middleware: [writers]) { routes in
            routes.group(middleware: keys) { routes in
                routes.resource(Self.paths).create(use: create)
                    .describe(
                        "Adds a user.", body: UserInput.self, returns: User.Summary.self, status: .created,
                        headers: Self.versioned.merging([.location: "The path of the user."]) { $1 })
            }
            let actions = routes.resource(Self.paths)
            let patch = actions.update(use: update)
            // The form of a page cannot send that.
            let post = routes.post(Self.paths.one, use: update)
            for route in [patch, post] {
                route.describe(
                    "Renames a user.", body: UserInput.self, returns: User.Summary.self, headers: Self.versioned,
                    responses: [.preconditionFailed: Self.changed])
            }
            actions.destroy(use: destroy)
                .describe("Removes a user.", status: .noContent, responses: [.preconditionFailed: Self.changed])
            routes.post(Self.removal, use: destroy)
        }
    }

    private static let versioned: [HTTPField.Name: String] = [.eTag: "The version; send it in `If-Match`."]
    private static let changed: DescribedResponse = "`If-Match` names another version than the current one."

    /// `GET /users`: a page for a browser, JSON for everyone else. `Link` leads to the neighbouring pages of the list
    /// (RFC 8288).
    func index(_ request: Request) async throws -> Response {
        let query = try UserQuery(request)
        let page = try await users.list(query)
        // Where the session cannot be read, the page shows neither the form nor the way to it.
        let isMember = request.prefersPage ? (try? await request.currentUser) != nil : false
        return request.negotiate(
            headers: page.links.headers, json: page.rows.map(\.summary),
            html: View("users/index", UsersPage(page, query, isMember: isMember), headers: page.links.headers))
    }

    /// `GET /users/events`: `added`, `renamed`, `pictured` and `removed`, each with the user as JSON. A client that has
    /// missed something gets `reset` first and must read the list again. A script may send the last id it has seen in
    /// the query (`after`), because it cannot set the header.
    func follow(_ request: Request, events: EventWriter) async throws {
        try await events.send(users.changes.subscribe(after: request.lastEventID ?? request.query["after"]))
    }

    /// `GET /users/3`: as JSON with the version as its entity tag.
    func show(_ request: Request, id: Int) async throws -> Response {
        let user = try await find(id)
        if !request.prefersPage, request.isFresh(user.tag) {
            var headers = user.tagFields
            headers[.vary] = "Accept"
            return Response(.notModified, headers: headers)
        }
        return request.negotiate(headers: user.tagFields, json: user.summary, html: View("users/show", UserPage(user)))
    }

    /// `POST /users`: from the page's form, or as JSON.
    func create(_ request: Request) async throws -> Response {
        try await request.handleForm(UserInput.self) { input in
            let user = try await users.add(input.name ?? "")
            let url = Self.paths.one.url(user.id)
            if request.isForm {
                try request.flash("\(user.name) was added.")
                return .redirect(to: url)
            }
            var headers = user.tagFields
            headers[.location] = url
            return .json(user.summary, status: .created, headers: headers)
        } invalid: { form in
            let query = UserQuery(page: PageQuery(path: Self.paths.all.url()))
            return View("users/index", UsersPage(try await users.list(query), query, isMember: true, form))
        }
    }

    /// `PATCH /users/3` with JSON, or `POST /users/3` from the page's form.
    func update(_ request: Request, id: Int) async throws -> Response {
        try await request.handleForm(UserInput.self) { input in
            let version = try await wantedVersion(input.version, id, request)
            let change = try await users.rename(id, to: input.name ?? "", version: version)
            let user = try await user(after: change, id, request)
            guard request.isForm else { return .json(user.summary, headers: user.tagFields) }
            try request.flash("The name is now \(user.name).")
            return .redirect(to: Self.paths.one.url(id))
        } invalid: { form in
            View("users/show", UserPage(try await find(id), renaming: form))
        }
    }

    /// `DELETE /users/3`, or `POST /users/3/delete` from the page's form.
    func destroy(_ request: Request, id: Int) async throws -> Response {
        guard request.isForm else { return try await remove(id, shown: nil, request, Response(.noContent)) }
        return try await request.handleForm(RemovalInput.self) { input in
            try await remove(id, shown: input.version, request, .redirect(to: Self.paths.all.url()))
        } invalid: { form in
            View("users/show", UserPage(try await find(id), renaming: form))
        }
    }

    private func remove(_ id: Int, shown: Int?, _ request: Request, _ response: Response) async throws -> Response {
        let change = try await users.remove(id, version: wantedVersion(shown, id, request))
        let user = try await user(after: change, id, request)
        // A file that stayed would only take room: the user is gone in any case.
        if let picture = user.picture { try? await pictures.remove(picture) }
        if request.isForm { try request.flash("\(user.name) was removed.") }
        return response
    }

    // MARK: Versions

    private func find(_ id: Int) async throws -> User {
        guard let user = try await users.user(id) else { throw Self.unknown(id) }
        return user
    }

    /// The version that the client wants to change, from the form or from `If-Match`; nil for any.
    /// - Parameter shown: The one that the form showed.
    /// - Throws: `HTTPError` with 412 when `If-Match` names a version other than the current one, or `If-None-Match`
    ///   names that (RFC 9110 §13.1).
    private func wantedVersion(_ shown: Int?, _ id: Int, _ request: Request) async throws -> Int? {
        let excludes = request.headers.contains(.ifNoneMatch)
        guard request.isConditional || excludes else { return shown }
        // Any version will do; the change itself finds out whether there is one.
        if request.headers[.ifMatch] == "*", !excludes { return nil }
        let user = try await find(id)
        guard request.ifMatch(user.tag) else { throw Self.outdated }
        if request.isFresh(user.tag) { throw HTTPError(.preconditionFailed) }
        return request.isConditional ? user.version : shown ?? user.version
    }

    /// The user that a change was made to.
    /// - Throws: `HTTPError` with 404; if somebody else was quicker, with 412, or for a form with 409, which shows the
    ///   current name beside what was typed.
    private func user(after change: UserOutcome, _ id: Int, _ request: Request) async throws -> User {
        switch change {
        case .done(let user): return user
        case .missing: throw Self.unknown(id)
        case .conflict:
            guard request.isForm else { throw Self.outdated }
            let name = try await find(id).name
            let message = "Somebody else has changed this user: the name is now “\(name)”. Check it, and try again."
            throw HTTPError(.conflict, field: "name", message)
        }
    }

    /// The error for an id that no user has.
    static func unknown(_ id: Int) -> HTTPError { HTTPError(.notFound, "There is no user \(id).") }

    private static let outdated = HTTPError(
        .preconditionFailed,
        "The user is not at the version in If-Match or `version`: read it again, and send its ETag, with the quotes.")
}

/// The fields that a client sends to add or rename a user.
private struct UserInput: Decodable, Validatable {
    var name: String?
    /// The version that the form showed.
    var version: Int?

    mutating func validate(_ check: inout Validation) {
        let most = User.maximumNameLength
        check(
            "name", &name, .trimmed, .required("Name cannot be empty"),
            // A link with such a name would have nothing to click.
            .custom("Name cannot be empty") { name in
                name.unicodeScalars.contains {
                    let sign = $0.properties
                    return !sign.isDefaultIgnorableCodePoint && !sign.isWhitespace && sign.generalCategory != .format
                }
            },
            .custom("Name cannot be longer than \(most) characters", pattern: "^.{0,\(most)}$") { name in
                name.utf8.count <= most || name.utf8.count <= User.maximumNameBytes && name.count <= most
            },
            .custom("Name cannot contain control characters", pattern: #"^[^\x00-\x1F\x7F-\x9F]*$"#) { name in
                name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
            })
    }
}

/// The field that the form to remove a user sends: the version that it showed.
private struct RemovalInput: Decodable {
    var version: Int?
}

extension UserChange: ServerSentEventConvertible {
    /// `event: added`, with the user as JSON.
    func serverSentEvent() throws -> ServerSentEvent { try ServerSentEvent(json: user, event: kind.rawValue) }
}

extension UserChange {
    /// The sentence that is read out to somebody who looks at the list or at the user.
    fileprivate var sentence: String {
        switch kind {
        case .added: "\(user.name) was added."
        case .renamed: "\(user.name) has a new name."
        case .pictured: "The picture of \(user.name) has changed."
        case .removed: "\(user.name) was removed."
        }
    }
}

extension User {
    fileprivate var tag: EntityTag { EntityTag("\(version)") }
    fileprivate var tagFields: Headers { Headers(.eTag, tag.description) }
}

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
            check("limit", limit, .range(1...200))
        }
    }

    /// Reads a request's query.
    /// - Throws: `HTTPError` with 400 for an invalid value.
    init(_ request: Request) throws {
        let name = request.query["name"] ?? ""
        self.init(name: name, page: try PageQuery(request, limit: 50, maximum: 200))
        guard name.utf8.count <= User.maximumNameBytes else {
            throw HTTPError(.badRequest, "name is longer than any user's name can be.")
        }
    }
}
