import Roost

struct UserController: Controller {
    static let all = Path("/users")
    static let one = Path("/users/{id}", Int.self)

    let users: any UserRepository

    func routes(_ routes: Routes) {
        routes.get(Self.all, use: index)
        routes.get(Self.one, use: show)
    }

    /// `GET /users`: a page for a browser, JSON for everyone else.
    func index(_ request: Request) async throws -> some ResponseConvertible {
        let users = try await users.all()
        return request.negotiate(json: users, html: View("users/index", UsersPage(users: users)))
    }

    func show(_ request: Request, id: Int) async throws -> some ResponseConvertible {
        guard let user = try await users.user(id) else { throw HTTPError(.notFound) }
        return JSON(user)
    }
}

struct User: Codable { var id: Int, name: String }

protocol UserRepository: Sendable {
    func all() async throws -> [User]
    func user(_ id: Int) async throws -> User?
}

struct TwoUsers: UserRepository {
    func all() -> [User] { [User(id: 1, name: "Nelson"), User(id: 2, name: "Cathy")] }
    func user(_ id: Int) -> User? { all().first { $0.id == id } }
}

struct UsersPage: Encodable { let users: [User] }

func makeApp(folder: String = ".") throws -> Application {
    try Application(templates: Templates(directory: folder + "/Templates")) { routes in
        routes.add(UserController(users: TwoUsers()))
    }
}

@main
struct Site {
    static func main() async {
        await Application.serve { try makeApp() }
    }
}
