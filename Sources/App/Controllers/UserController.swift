import Roost

/// The list of users: read by everybody, changed by who has signed in.
struct UserController: Controller {
    static let all = Path.root / "users"
    static let one = Path.root / "users" / Int.self

    let users: any UserRepository

    func routes(_ routes: Routes) {
        routes.get(Self.all, use: index)
        routes.get(Self.one, use: show)
        routes.group(middleware: [RequireSignIn()]) { routes in
            routes.post(Self.all, use: create)
        }
    }

    /// `GET /users`: a page for a browser, JSON for everyone else.
    func index(_ request: Request) async throws -> some ResponseConvertible {
        let users = try await users.all()
        return request.negotiate(json: users, html: View("users/index", UsersPage(users, request)))
    }

    /// `GET /users/3`
    func show(_ request: Request, id: Int) async throws -> some ResponseConvertible {
        guard let user = try await users.user(id) else { throw HTTPError(.notFound, "There is no user \(id).") }
        return request.negotiate(json: user, html: View("users/show", UserPage(user, request)))
    }

    /// `POST /users`: from the page's form, or as JSON.
    func create(_ request: Request) async throws -> AnyResponse {
        let input = try request.decode(NewUser.self)
        do {
            let user = try await users.add(UserName(input.name ?? ""))
            let url = Self.one.url(user.id)
            if request.isForm { return AnyResponse(Response.redirect(to: url)) }
            return AnyResponse(JSON(user, status: .created, headers: [.location: url]))
        } catch let error as InvalidUserName {
            guard request.isForm else { throw HTTPError(.unprocessableContent, error.message) }
            let page = UsersPage(try await users.all(), request, name: input.name ?? "", error: error.message)
            return AnyResponse(View("users/index", page, status: .unprocessableContent))
        } catch is RepositoryFull {
            throw HTTPError(.serviceUnavailable, "No more users can be added now.", headers: [.retryAfter: "3600"])
        }
    }
}

/// What a client sends to add a user.
private struct NewUser: Decodable {
    var name: String?
}
