import FoundationEssentials
import Logging
import RoostSQL
import RoostSQLite
import Testing

extension SiteBrowserTests {
    @Test(arguments: [true, false])
    func `a wrong password is announced, and the right one leads to the welcome`(javaScript: Bool) async throws {
        try await visit(javaScript: javaScript) { browser, site in
            try await browser.open(site.url + "/home")
            try await Self.fill(browser, password: "wrong")
            #expect(try await browser.text("#form-error") == "Invalid email or password")
            if javaScript { #expect(try await browser.execute("return document.activeElement.id") == "form-error") }
            #expect(try await browser.attribute("role", of: "#form-error") == "alert")
            #expect(try await browser.property("value", of: "#email") == "test@example.com")
            #expect(try await browser.property("value", of: "#password") == "")
            try await browser.type("123456", into: "#password")
            try await browser.follow("main form button[type=submit]")
            #expect(try await browser.url == site.url + "/home")
            #expect(try await browser.text("h1") == "Welcome, test@example.com")
            try await browser.keepPicture("welcome")
        }
    }

    @Test func `the password can be shown, and is hidden again when it is sent`() async throws {
        try await visit { browser, site in
            try await browser.open(site.url + "/login")
            try await browser.type("123456", into: "#password")
            #expect(try await browser.property("type", of: "#password") == "password")
            try await browser.click(".show")
            #expect(try await browser.property("type", of: "#password") == "text")
            #expect(try await browser.attribute("aria-pressed", of: ".show") == "true")
            try await browser.execute(
                "const form = document.querySelector('main form'); form.action = 'about:blank'; form.target = 'other'")
            try await browser.click("main form button[type=submit]")
            try await browser.waitUntil("document.getElementById('password').type === 'password'")
        }
    }

    @Test func `after five wrong passwords the page says how long to wait`() async throws {
        try await visit { browser, site in
            try await browser.open(site.url + "/login")
            // Each attempt that is let through doubles the time to wait, so one soon comes too early.
            var message = ""
            for _ in 0..<12 {
                try await browser.clear("#email")
                try await Self.fill(browser, password: "wrong")
                message = try await browser.text("#form-error")
                if message != "Invalid email or password" { break }
            }
            #expect(message.hasPrefix("Too many attempts to sign in. Try again in "))
            #expect(message.hasSuffix(".") && message.contains(" second"))
            try await browser.keepPicture("throttled")
        }
    }

    @Test func `signing out in one tab signs out the other`() async throws {
        try await visit { browser, site in
            try await browser.open(site.url + "/login?next=/users/1")
            try await Self.fill(browser, password: "123456")
            #expect(try await browser.text("h1") == "Nelson")
            let (first, second) = try await browser.openWindow()
            try await browser.open(site.url + "/users")
            #expect(try await browser.count(".account form button") == 1)
            try await browser.follow(".account form button")
            try await browser.use(first)
            // The page is still there; what it sends is refused, and leads back to it after signing in.
            try await browser.follow("form[action='/users/1'] button")
            #expect(try await browser.url == site.url + "/login?next=%2Fusers%2F1")
            try await browser.use(second)
            try await browser.open(site.url + "/account")
            #expect(try await browser.url == site.url + "/login?next=%2Faccount")
        }
    }

    @Test func `a live page that only its owner may see leads to signing in when another tab signs out`() async throws {
        try await visit { browser, site in
            try await browser.open(site.url + "/login?next=/account")
            try await Self.fill(browser, password: "123456")
            #expect(try await browser.text("h1") == "Your account")
            let (first, _) = try await browser.openWindow()
            try await browser.open(site.url + "/users")
            try await browser.follow(".account form button")
            try await browser.use(first)
            while try await browser.url != site.url + "/login?next=%2Faccount" { try Task.checkCancellation() }
        }
    }

    /// Instead of waiting, the times that the server has stored are set back.
    @Test(arguments: [
        "UPDATE sessions SET used_at = used_at - 1800" as SQL, "UPDATE sessions SET begun_at = begun_at - 28800",
    ])
    func `a session that is idle or too old leads to signing in, and back`(change: SQL) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-expiry-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/roost.sqlite"
        try await visit(settings: ["DATABASE_URL": "sqlite:\(path)"]) { browser, site in
            try await browser.open(site.url + "/login?next=/account")
            try await Self.fill(browser, password: "123456")
            #expect(try await browser.text("h1") == "Your account")
            let driver = SQLiteDriver(SQLiteConfiguration(path: path), logger: .current)
            let database = Database(driver, logger: .current)
            try await database.start()
            #expect(try await database.execute(change) == 1)
            await database.stop()
            try await browser.reload()
            #expect(try await browser.url == site.url + "/login?next=%2Faccount")
            #expect(try await browser.count(".account") == 0)
            try await browser.keepPicture("expired")
            try await Self.fill(browser, password: "123456")
            #expect(try await browser.url == site.url + "/account")
            #expect(try await browser.count("section:first-of-type .entries li") == 1)
        }
    }

    @Test(arguments: [Browser.Viewport.smallPhone, .phone, .desktop], Browser.ColorScheme.allCases)
    func `the account page fits, ends a session, and changes the password`(
        viewport: Browser.Viewport, scheme: Browser.ColorScheme
    ) async throws {
        try await visit(viewport, scheme) { browser, site in
            _ = try await Member(port: site.port)
            try await browser.open(site.url + "/login?next=/account")
            try await Self.fill(browser, password: "123456")
            #expect(try await browser.execute(Browser.overflow) == 0)
            #expect(try await browser.count("section:first-of-type .entries li") == 2)
            try await browser.keepPicture("account-\(viewport.width)-\(scheme)")
            try await browser.follow("section:first-of-type .entries li:last-child button")
            #expect(try await browser.count("section:first-of-type .entries li") == 1)
            try await browser.type("123456", into: "#current")
            try await browser.type("12345678", into: "#new")
            try await browser.follow("form[action='/account/password'] button[type=submit]")
            #expect(try await browser.text("#new-error").hasPrefix("This password is one of the most common ones"))
            #expect(try await browser.execute("return document.activeElement.id") == "new")
            #expect(try await browser.execute(Browser.overflow) == 0)
            try await browser.keepPicture("account-error-\(viewport.width)-\(scheme)")
            try await browser.type("123456", into: "#current")
            try await browser.type("correct horse", into: "#new")
            try await browser.follow("form[action='/account/password'] button[type=submit]")
            #expect(try await browser.text(".flash") == "Password changed. You are signed out on all other devices.")
            #expect(try await browser.attribute("role", of: ".flash") == "status")
            let isSeen = """
                const { top, bottom } = document.querySelector(".flash").getBoundingClientRect();
                return top >= 0 && bottom <= innerHeight;
                """
            #expect(try await browser.execute("scrollTo(0, document.body.scrollHeight);" + isSeen) == true)
            try await browser.keepPicture("account-changed-\(viewport.width)-\(scheme)")
            // What is asked for lies below it.
            let isBelow = """
                document.querySelector("#current").scrollIntoView();
                const box = (selector) => document.querySelector(selector).getBoundingClientRect();
                return box("#current").top >= box(".flash").bottom;
                """
            #expect(try await browser.execute(isBelow) == true)
            // What each form says when it cannot be sent fits, too.
            let width = "return document.querySelector('.account form').clientWidth"
            let before = try await browser.execute(width)
            let unsent = "document.querySelectorAll('[data-failed]').forEach((one) => one.hidden = false);"
            #expect(try await browser.execute(unsent + Browser.overflow) == 0)
            #expect(try await browser.execute(width) == before)
            let isReadable =
                "return [...document.querySelectorAll('.entries div')].every((one) => one.clientWidth > 100)"
            #expect(try await browser.execute(isReadable) == true)
            #expect(
                try await browser.text("section:last-of-type .entries li:nth-child(2) div").hasPrefix(
                    "Password changed"))
        }
    }

    private static func fill(_ browser: Browser, password: String) async throws {
        if try await browser.property("value", of: "#email") == "" {
            try await browser.type("test@example.com", into: "#email")
        }
        try await browser.type(password, into: "#password")
        try await browser.follow("main form button[type=submit]")
    }
}
