import Manual
import Roost
import RoostAuth
import RoostMail
import Testing

@testable import App

/// Every template of the site, with every page that it shows.
@Suite("The site's views", .timeLimit(.minutes(5)))
struct ViewTests {
    private static let user = User(id: 1, name: "Nelson")
    private static let pictured = User(id: 2, name: "Cathy", picture: "a.png")
    private static let middle = Page(
        [user, pictured], links: PageLinks(previous: "/users?before=1", next: "/users?after=2"))
    private static let empty = Page<User>([])
    private static let refused = InvalidForm(
        typed: ["name": "x"], error: HTTPError(.unprocessableContent, field: "name", "Too short."))
    private static let tooLarge = InvalidForm(typed: [:], error: HTTPError(.contentTooLarge, "Too large."))
    private static let search = UserQuery(name: "nel", page: PageQuery(start: .before("2.nelsona")))
    private static let demo = DemoAccount(email: "test@example.com", password: "123456")

    private static func account(_ error: HTTPError?, count: Int = 1) -> AccountPage {
        let session = OwnedSession(
            id: "a", values: ["device": "curl", "address": "192.0.2.1"], begun: .seconds(60), used: .zero)
        let event = AuditEvent(.signedIn, account: 1, address: "192.0.2.1", device: "curl", time: 0)
        return AccountPage(
            email: "ann@example.com", sessions: Array(repeating: session, count: count), current: "a",
            events: [event] + (1...2).map { AuditEvent(.signInFailed, account: 1, time: -$0) }, now: 60,
            form: error.map { InvalidForm(typed: [:], error: $0) })
    }

    private static func page(_ page: Page<User>, _ query: UserQuery, form: InvalidForm? = nil) -> UsersPage {
        UsersPage(page, query, isMember: true, form)
    }

    @Test func `each renders with samples of its page, which show all of it`() throws {
        let empty = InvalidForm(
            typed: ["next": "/users"],
            error: HTTPError(.unprocessableContent, at: ["/email": "Empty.", "/password": "Empty."]))
        let passwordless = InvalidForm(
            typed: ["email": "a@b"], error: HTTPError(.unprocessableContent, field: "password", "Empty."))
        let pictureless = InvalidForm(
            typed: [:], error: HTTPError(.unprocessableContent, field: "picture", "Choose a picture first."))
        let noUser = ErrorPage(status: 404, title: "Not Found", message: "There is no user 7.", requestID: "1")
        let manual = try Manual(folder: Site.root + "/docs")
        let page = try #require(manual.page("tls"))
        let views = [
            View("manual/page", ManualPageView(page, in: manual)),
            View("manual/search", ManualResultsView("tls", ManualSearch(manual).results(for: "tls"), in: manual)),
            View("manual/search", ManualResultsView("?", [], in: manual)),
            View("home", HomePage(siteURL: "localhost:3000", demo: Self.demo)),
            View("home", HomePage(siteURL: "localhost:3000", demo: nil)),
            View("users/index", Self.page(Self.middle, Self.search, form: Self.refused)),
            View("users/index", UsersPage(Self.middle, Self.search, isMember: false)),
            View("users/index", Self.page(Self.middle, Self.search, form: Self.tooLarge)),
            View("users/index", Self.page(Self.empty, UserQuery())),
            View("users/index", Self.page(Self.empty, UserQuery(name: "x"))),
            View("users/index", Self.page(Self.middle, UserQuery(page: PageQuery(start: .after("0"))))),
            View("users/index", Self.page(Self.empty, UserQuery(page: PageQuery(start: .after("0"))))),
            View("users/show", UserPage(Self.user)),
            View("users/show", UserPage(Self.user, renaming: Self.refused)),
            View("users/show", UserPage(Self.user, renaming: Self.tooLarge)),
            View("users/show", UserPage(Self.pictured, picture: pictureless)),
            View("login", LoginPage(next: "/users", error: "Invalid email or password", demo: Self.demo)),
            View("login", LoginPage(empty, demo: nil)),
            View("login", LoginPage(passwordless, demo: nil)),
            View("welcome", WelcomePage(signedInAs: "ann@example.com")),
            View("account", Self.account(nil)),
            View("account", Self.account(nil, count: 100)),
            View("account", Self.account(HTTPError(.tooManyRequests, "Too many attempts."))),
            View(
                "account",
                Self.account(HTTPError(.unprocessableContent, at: ["/current": "Wrong.", "/new": "Too short."]))),
            View("account", Self.account(HTTPError(.unprocessableContent, at: "/new", "Too short."))),
            View("error", noUser),
        ]
        let values = [
            SiteValues(signedInAs: nil, isSignedOut: true),
            SiteValues(signedInAs: "ann@example.com", isSignedOut: false, flash: ["Nelson was added."]),
            SiteValues(signedInAs: nil, isSignedOut: false, hasPatterns: false),
        ]
        let templates = try Templates(directory: Site.root + "/Templates")
        let welcome = WelcomeMail(email: "ann@example.com", loginURL: "http://localhost:3000/login").mail
        try templates.check(views + GalleryViews.samples + welcome.views(in: templates), pageValues: values)
    }

    /// As a damaged page of the database has it.
    @Test(arguments: [Int.min, -1, .max])
    func `a time may be any number`(time: Int) {
        #expect(TimeAgo(time, now: 1_780_000_000).text == (time < 0 ? "20601 days ago" : "just now"))
    }
}
