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
            try await picture(browser, "welcome")
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
            try await picture(browser, "throttled")
        }
    }

    @Test func `signing out in one tab signs out the other`() async throws {
        try await visit { browser, site in
            try await browser.open(site.url + "/login?next=/account")
            try await Self.fill(browser, password: "123456")
            #expect(try await browser.text("h1") == "Your account")
            let (first, second) = try await browser.openWindow()
            try await browser.open(site.url + "/users")
            #expect(try await browser.count(".account form button") == 1)
            try await browser.follow(".account form button")
            try await browser.use(first)
            // The page is still there; what it sends is refused, and leads back to it after signing in.
            try await browser.follow(".entries form button")
            #expect(try await browser.url == site.url + "/login?next=%2Faccount")
            try await browser.use(second)
            try await browser.open(site.url + "/account")
            #expect(try await browser.url == site.url + "/login?next=%2Faccount")
        }
    }

    @Test func `a session that is too old leads to signing in, and back`() async throws {
        try await visit(settings: ["SESSION_LIFETIME": "1"]) { browser, site in
            try await browser.open(site.url + "/login?next=/users")
            try await Self.fill(browser, password: "123456")
            #expect(try await browser.url == site.url + "/users")
            // Reading the page again until the second is over: nothing else tells a browser of it.
            while try await browser.count("a[href='/login']") == 0 { try await browser.reload() }
            try await browser.open(site.url + "/account")
            #expect(try await browser.url == site.url + "/login?next=%2Faccount")
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
            let overflow = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
            #expect(try await browser.execute(overflow) == 0)
            #expect(try await browser.count("section:first-of-type .entries li") == 2)
            try await picture(browser, "account-\(viewport.width)-\(scheme)")
            try await browser.follow("section:first-of-type .entries li:last-child button")
            #expect(try await browser.count("section:first-of-type .entries li") == 1)
            try await browser.type("123456", into: "#current")
            try await browser.type("12345678", into: "#new")
            try await browser.follow("form[action='/account/password'] button[type=submit]")
            #expect(try await browser.text("#new-error").hasPrefix("This password is one of the most common ones"))
            #expect(try await browser.execute("return document.activeElement.id") == "new")
            #expect(try await browser.execute(overflow) == 0)
            try await picture(browser, "account-error-\(viewport.width)-\(scheme)")
            try await browser.type("123456", into: "#current")
            try await browser.type("correct horse", into: "#new")
            try await browser.follow("form[action='/account/password'] button[type=submit]")
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
