import HTTPTypes
import RoostTesting
import Synchronization
import Testing

@testable import App
@testable import PatternCore
@testable import PatternMVVM
@testable import PatternScreens
@testable import Roost

/// MVVM's live binding: the page follows a view model that stays on the server.
@Suite("The live login", .quietLog, .timeLimit(.minutes(5)))
struct LiveLoginTests {
    private static let path = "/patterns/mvvm/login"

    /// Follows a page until it shows a text in its form.
    private func wait(for text: String, in page: TestLivePage) async throws {
        while page.outerHTML(of: "login")?.contains(text) != true { try await page.next() }
    }

    private func templates() throws -> Templates { try Templates(directory: GallerySite.root + "/Templates") }

    @Test func `what a live screen keeps of a field is as long as an address can be`() throws {
        let long = String(repeating: "a", count: 100_000)
        let body = #"{"email":"\#(long)","password":"\#(long)"}"#
        let form = try JSONCoder().decode(LoginForm.self, from: Array(body.utf8))
        #expect(form.email.utf8.count == 254 && form.password.utf8.count == 254)
    }

    @Test func `each window of a browser shows each state: an error, loading, and the error of a wrong password`()
        async throws
    {
        let gate = Gate()
        let client = try GallerySite.visitor(gate)
        let windows = [try await client.live(Self.path), try await client.live(Self.path)]
        _ = try await client.post(Self.path, form: ["email": "a@b", "password": ""])
        for window in windows {
            try await wait(for: "Password cannot be empty", in: window)
            try await wait(for: #"value="a@b""#, in: window)
        }
        async let response = client.post(Self.path, form: ["email": "a@b", "password": "c"])
        await gate.waitForLogin()
        for window in windows { try await wait(for: #"<button type="submit" aria-busy="true">Loading…"#, in: window) }
        gate.open()
        #expect(try await response.status == .unprocessableContent)
        for window in windows {
            try await wait(for: "Invalid email or password", in: window)
            #expect(window.text(of: "login")?.contains("Loading") == false)
        }
    }

    @Test func `a page that has an error does not lose it to states of before`() async throws {
        let viewModel = LoginViewModel(authService: Visitor(.mvvm, [:], pause: {}).authService)
        let page = try LivePage(templates: templates(), fragments: ["patterns/screens/login-form"])
        let viewer = try await page.topic.subscribe(after: nil)
        let (states, changes) = AsyncStream.makeStream(of: LoginState.self)
        for state in [LoginState(email: "a"), LoginState(email: "b"), LoginState(errorMessage: "Wrong")] {
            viewModel.state.change { $0 = state }
            changes.yield(state)
        }
        changes.finish()
        try await page.follow(states, of: viewModel)
        var count = 0
        for try await message in viewer {
            #expect(message.event.html?.contains("Wrong") == true)
            count += 1
            if count == 3 { break }
        }
    }

    @Test func `who signs in goes home, and the next login is a new one`() async throws {
        let client = try GallerySite.visitor()
        _ = try await client.get(Self.path)
        #expect(try await client.post(Self.path, form: GallerySite.right).headers[.location] == "/patterns/mvvm/home")
        #expect(try await client.get("/patterns/mvvm/home").text.contains("Welcome, test@example.com"))
        #expect(try await client.get(Self.path).text.contains(#"value="""#))
    }

    @Test func `a page that is opened again shows what was typed, and no old error`() async throws {
        let client = try GallerySite.visitor()
        _ = try await client.get(Self.path)
        let page = try await client.post(Self.path, form: ["email": "a@b", "password": ""])
        #expect(page.text.contains("Password cannot be empty"))
        let again = try await client.get(Self.path)
        #expect(again.status == .ok)
        #expect(!again.text.contains("Password cannot be empty"))
        #expect(again.text.contains(#"value="a@b""#))
    }

    @Test func `while it loads, a second press does nothing`() async throws {
        let gate = Gate()
        let client = try GallerySite.visitor(gate)
        _ = try await client.get(Self.path)
        async let first = client.post(Self.path, form: GallerySite.right)
        await gate.waitForLogin()
        let second = try await client.post(Self.path, form: ["email": "", "password": ""])
        #expect(second.text.contains(#"<button type="submit" aria-busy="true">Loading…"#))
        gate.open()
        #expect(try await first.headers[.location] == "/patterns/mvvm/home")
    }

    @Test func `another visitor sees none of it`() async throws {
        let application = try GallerySite.application()
        let (client, other) = (TestClient(application), TestClient(application))
        let page = try await other.live(Self.path)
        _ = try await client.get(Self.path)
        _ = try await client.post(Self.path, form: ["email": "", "password": ""])
        _ = try await other.post(Self.path, form: ["email": "c@d", "password": "wrong"])
        try await page.next()
        #expect(page.outerHTML(of: "login")?.contains(#"value="c@d""#) == true)
    }

    @Test func `the form is what the page shows in its place`() throws {
        var page = LoginPage(LoginState(email: "a@b", password: "", isLoading: true, errorMessage: "Wrong <b>"))
        try templates().check(
            View("patterns/screens/login-form", page),
            in: View("patterns/screens/login", FramedScreen(pattern: .mvvm, screen: page)),
            pageValues: SiteValues(signedInAs: nil, isSignedOut: true))
        page = LoginPage(LoginState())
        try templates().check(
            View("patterns/screens/login-form", page),
            in: View("patterns/screens/login", FramedScreen(pattern: .mvvm, screen: page)),
            pageValues: SiteValues(signedInAs: nil, isSignedOut: true))
    }

    @Test func `who gets no view model that stays has one for each request`() async throws {
        let live = try LiveLogins(templates: templates(), maximumCount: 0)
        #expect(live.begin(Visitor(.mvvm, [:]) {}) == nil)
        let client = try GallerySite.visitor()
        #expect(try await client.post(Self.path, form: GallerySite.right).status == .seeOther)
    }

    @Test func `when all places are taken, who has few gets one of who has most`() async throws {
        let live = try LiveLogins(templates: templates(), maximumCount: 4)
        let (greedy, modest) = (IPNetwork("192.0.2.1"), IPNetwork("192.0.2.2"))
        func begin(_ client: IPNetwork?) -> Visitor? {
            let visitor = Visitor(.mvvm, [:]) {}
            return live.begin(visitor, for: client) == nil ? nil : visitor
        }
        let first = try #require(begin(greedy))
        let follower = try #require(live.login(of: first)).viewModel.state.values()
        for _ in 0..<3 { #expect(begin(greedy) != nil) }
        #expect(begin(greedy) == nil)
        #expect(begin(modest) != nil)
        #expect(live.login(of: first) == nil)
        for await _ in follower {}
        #expect(begin(modest) != nil)
        // Two each: there is nothing to share any more.
        #expect(begin(modest) == nil)
    }

    @Test func `after ten minutes one is gone, with those who follow it, and another has its place`() async throws {
        let time = Mutex(ContinuousClock.now)
        let live = try LiveLogins(templates: templates(), maximumCount: 2) { time.withLock { $0 } }
        let visitors = (0..<4).map { _ in Visitor(.mvvm, [:]) {} }
        let first = try #require(live.begin(visitors[0]))
        time.withLock { $0 += .seconds(300) }
        #expect(live.begin(visitors[1]) != nil)
        #expect(live.begin(visitors[2]) == nil)
        let follower = first.viewModel.state.values()
        time.withLock { $0 += .seconds(300) }
        #expect(live.login(of: visitors[0]) == nil)
        #expect(live.login(of: visitors[1]) != nil)
        for await _ in follower {}
        #expect(live.begin(visitors[3]) != nil)
    }
}
