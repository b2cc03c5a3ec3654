import Roost
import RoostTesting
import Synchronization
import Testing

@testable import App

/// Every template of the site, with every page that it shows.
@Suite("The site's views", .timeLimit(.minutes(5)))
struct ViewTests {
    private static let user = User(id: 1, name: "Nelson")
    private static let middle = UserSlice(users: [user], hasPrevious: true, hasNext: true)
    private static let empty = UserSlice(users: [])
    private static let search = UserQuery(name: "nel", start: .before(UserPlace(id: 2, key: "nelsona")))
    private static let demo = DemoAccount(email: "test@example.com", password: "123456")

    @Test func `each renders with samples of its page, which show all of it`() async throws {
        let (visitor, member) = (try await Self.request(), try await Self.request(signedInAs: "ann@example.com"))
        let nothing = MissingCredentials(email: true, password: true)
        let noUser = ErrorPage(status: 404, title: "Not Found", message: "There is no user 7.", requestID: "1")
        try await Templates(directory: Site.root + "/Templates").check([
            View("home", HomePage(visitor, siteURL: "localhost:3000", demo: Self.demo)),
            View("home", HomePage(member, siteURL: "localhost:3000", demo: Self.demo)),
            View("users/index", UsersPage(Self.middle, Self.search, member, typed: "x", error: "Too short.")),
            View("users/index", UsersPage(Self.empty, UserQuery(), visitor)),
            View("users/index", UsersPage(Self.empty, UserQuery(name: "x"), visitor)),
            View("users/index", UsersPage(Self.middle, UserQuery(start: .after(.init(id: 0, key: ""))), visitor)),
            View("users/index", UsersPage(Self.empty, UserQuery(start: .after(.init(id: 0, key: ""))), visitor)),
            View("users/show", UserPage(Self.user, visitor)),
            View("users/show", UserPage(Self.user, member, typed: "x", error: "Too short.")),
            View("login", LoginPage(visitor, next: "/users", error: "Invalid email or password", demo: Self.demo)),
            View("login", LoginPage(visitor, missing: nothing, demo: nil)),
            View("login", LoginPage(visitor, missing: MissingCredentials(email: false, password: true), demo: nil)),
            View("account", AccountPage(member)),
            View("error", noUser),
        ])
    }

    /// A request as a controller gets it.
    private static func request(signedInAs email: String? = nil) async throws -> Request {
        let seen = Mutex<Request?>(nil)
        let sessions = Sessions(MemorySessionStore(), isHTTPS: false)
        let application = try Application(middleware: [sessions]) { routes in
            routes.get(Path("/")) { request in
                if let email { try await request.session.signIn(Account(email: email)) }
                seen.withLock { $0 = request }
                return "seen"
            }
        }
        _ = try await TestClient(application).get("/")
        return try #require(seen.withLock { $0 })
    }
}
