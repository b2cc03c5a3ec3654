import HTTPTypes
import Roost
import RoostAuth
import RoostSQL
import RoostTesting
import Testing

@testable import App

@Suite("/account", .quietLog, .eachProtocol, .timeLimit(.minutes(5)))
struct AccountControllerTests {
    private static let change: Form = ["current": "123456", "new": "correct horse"]

    @Test func `a changed password is confirmed once, on the next page`() async throws {
        let client = try await Site.member()
        let response = try await client.post("/account/password", form: Self.change, headers: Site.browser)
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/account")
        let cookies = response.headers[values: .setCookie].map { $0.prefix { $0 != "=" } }.sorted()
        #expect(cookies == ["device", "flash", "session"])
        let message = "Password changed. You are signed out on all other devices."
        let page = try await client.get("/account", headers: Site.browser).text
        #expect(page.contains("<p class=\"flash\" role=\"status\">\(message)</p>"))
        #expect(try await !client.get("/account", headers: Site.browser).text.contains("role=\"status\""))
    }

    @Test func `whoever signs out another device is told so, also if it was signed out before`() async throws {
        let client = try await Site.member()
        let other = TestClient(client.application)
        _ = try await other.post("/login", form: ["email": "test@example.com", "password": "123456"])
        let account = try await client.get("/account", headers: [.accept: "application/json"]).json(Account.self)
        let id = try #require(account.sessions.first { !$0.current }?.id)
        for _ in 0..<2 {
            let path = AccountController.end.url(id)
            let ended = try await client.post(path, form: [:], headers: Site.browser)
            #expect(ended.headers[.location] == "/account")
            let page = try await client.get("/account", headers: Site.browser).text
            #expect(page.contains("<p class=\"flash\" role=\"status\">Signed out on the other device.</p>"))
        }
        #expect(try await !client.get("/account", headers: Site.browser).text.contains("role=\"status\""))
    }

    private struct Account: Decodable {
        struct Session: Decodable {
            let id: String
            let current: Bool
        }

        let sessions: [Session]
    }

    @Test func `a program is told by the status`() async throws {
        let client = try await Site.member()
        let input = ["current": "123456", "new": "correct horse"]
        let response = try await client.post("/account/password", json: input)
        #expect(response.status == .noContent)
        #expect(response.headers[values: .setCookie].map { $0.prefix { $0 != "=" } }.sorted() == ["device", "session"])
        #expect(try await !client.get("/account", headers: Site.browser).text.contains("Password changed."))
    }

    @Test(arguments: [99, 100])
    func `whoever may have more sessions than are listed is told so`(count: Int) async throws {
        let sessions = (0..<count).map { number in
            OwnedSession(id: "\(number)", values: [:], begun: .zero, used: .zero)
        }
        let page = AccountPage(email: "", sessions: sessions, current: nil, events: [], now: 0)
        #expect(try JSONCoder().string(page.summary).contains("\"hasMoreSessions\":\(count == 100)"))
        #expect(try JSONCoder().string(page).contains("\"limit\":100") == (count == 100))
    }

    @Test func `the page says how long ago a session began, by the application's clock`() async throws {
        let clock = TestClock()
        let client = try await withClock(clock) { try await Site.member() }
        clock.advance(by: .seconds(10 * 60))
        let page = try await client.get("/account", headers: Site.browser).text
        #expect(page.contains(">10 minutes ago<"))
    }

    @Test func `a refused password keeps the page, and says why beside the field`() async throws {
        let client = try await Site.member()
        let form: Form = ["current": "wrong", "new": "correct horse"]
        let response = try await client.post("/account/password", form: form, headers: Site.browser)
        #expect(response.status == .unprocessableContent)
        #expect(response.text.contains("<p class=\"error\" id=\"current-error\">This is not your current password</p>"))
        #expect(!response.text.contains("correct horse") && !response.text.contains("role=\"status\""))
    }

    @Test func `failures in a row are one line, so that none push everything else off the page`() throws {
        let failure = { (number: Int) in
            AuditEvent(
                number % 10 == 0 ? .signInThrottled : .signInFailed, account: 1, address: "192.0.2.\(number)",
                device: "curl", time: -number)
        }
        let signedIn = AuditEvent(.signedIn, account: 1, address: "192.0.2.7", device: "curl", time: -300)
        let rest = [signedIn, failure(201)] + Array(repeating: signedIn, count: 50)
        let events = (1...200).map(failure) + rest
        let page = AccountPage(email: "", sessions: [], current: nil, events: events, now: 0)
        #expect(page.events.count == 20)
        #expect(page.events.prefix(4).map(\.what) == ["Wrong password", "Signed in", "Wrong password", "Signed in"])
        #expect(page.events.first?.place == "curl, 192.0.2.1")
        let json = try JSONCoder().string(page.summary)
        #expect(json.contains("\"what\":\"Wrong password\",\"count\":200,") && !json.contains("\"count\":1"))
    }

    @Test func `however many wrong passwords there are, what else has happened is on the page`() async throws {
        let client = try await Site.member()
        let log = SQLAuditLog(try #require(client.service(Database.self)))
        let last = try #require(try await log.events(of: 0, limit: 1).first)
        for _ in 0..<600 { try await log.record(AuditEvent(.signInFailed, account: 0, time: last.time + 1)) }
        let page = try await client.get("/account", headers: Site.browser).text
        #expect(page.contains("Wrong password, 500 times<br>") && page.contains("Signed in<br>"))
    }

    @Test func `whoever has been disabled sees nothing, even if the session goes on`() async throws {
        let client = try Site.visitor()
        _ = try await client.get("/login")
        let auth = try #require(client.service(Auth.self))
        let account = try await auth.addAccount(email: "ann@example.com", password: "correct horse")
        _ = try await client.post("/login", form: ["email": "ann@example.com", "password": "correct horse"])
        for path in ["/home", "/account"] { #expect(try await client.get(path).status == .ok) }
        try await auth.accounts.setDisabled(true, of: account.id)
        for path in ["/home", "/account"] { #expect(try await client.get(path).status == .forbidden) }
    }

    @Test func `an attempt at an address without an account is told like any other, or the time would tell`()
        async throws
    {
        let client = try await Site.member()
        let auth = try #require(client.service(Auth.self))
        let database = try #require(client.service(Database.self))
        let other = TestClient(client.application)
        var counts: [Int] = []
        for email in ["", "test@example.com", "nobody@example.com"] {
            if !email.isEmpty { _ = try await other.post("/login", form: ["email": email, "password": "wrong"]) }
            // It has reported all then.
            await auth.stop()
            let count = try await database.first(
                "SELECT count(*) FROM topic_events WHERE topic = 'accounts'", as: Int.self)
            counts.append(count ?? 0)
        }
        #expect(counts == [counts[0], counts[0] + 1, counts[0] + 2])
    }

    @Test func `wrong passwords leave the sign-ins on the page`() async throws {
        let client = try await Site.member()
        let form: Form = ["current": "wrong", "new": "correct horse"]
        _ = try await client.post("/account/password", form: form, headers: Site.browser)
        let other = TestClient(client.application)
        for _ in 0..<3 {
            _ = try await other.post("/login", form: ["email": "test@example.com", "password": "wrong"])
        }
        let page = try await client.get("/account", headers: Site.browser).text
        #expect(page.contains("Wrong password, 3 times<br>") && page.contains("Signed in<br>"))
    }
}
