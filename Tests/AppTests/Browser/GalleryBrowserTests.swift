import Roost
import Testing

@testable import App

/// The gallery in a browser: the contract of the login, as `PatternsTests` has it in process, and how the pages look.
/// Screenshots go to the folder that `SCREENSHOTS` names.
@Suite("The gallery in a browser", .needsBrowser, .serialized, .timeLimit(.minutes(5)))
struct GalleryBrowserTests {
    private static let patterns = ["mvc", "mvp", "mvvm", "mvvm-c", "viper"]

    @Test(arguments: patterns, [true, false])
    func `the login of each pattern keeps its contract`(pattern: String, javaScript: Bool) async throws {
        let site = try await SiteProcess.start(["DATABASE_URL": "memory:"], under: SiteProcess.quiet)
        try await Browser.run(javaScript: javaScript) { browser in
            let home = site.url + "/patterns/\(pattern)/home"
            try await browser.open(home)
            #expect(try await browser.url == site.url + "/patterns/\(pattern)/login")
            for (email, password, message) in [
                ("", "", "Email cannot be empty"), ("", "123456", "Email cannot be empty"),
                ("test@example.com", "", "Password cannot be empty"),
                ("test@example.com", "1234567", "Invalid email or password"),
            ] {
                try await fill(browser, email, password)
                try await browser.follow("#login button")
                #expect(try await browser.text("#error") == message)
                #expect(try await browser.property("value", of: "#email") == .string(email))
                // A wrong password is not sent back.
                if message.hasPrefix("Invalid") {
                    #expect(try await browser.property("value", of: "#password") == .string(""))
                }
            }
            try await fill(browser, "test@example.com", "123456")
            if javaScript { try await browser.execute(Self.noteStates) }
            try await browser.follow("#login button")
            #expect(try await browser.url == home)
            #expect(try await browser.text("h1") == "Welcome, test@example.com")
            if javaScript {
                let states = try await browser.execute("return sessionStorage.getItem('states')").string
                #expect(states?.contains("true Loading…") == true, "\(states ?? "no states")")
            }
            // Nothing else is open now.
            try await browser.open(site.url + "/home")
            #expect(try await browser.url == site.url + "/login?next=%2Fhome")
            #expect(try await browser.errors().filter { $0.source != "network" } == [])
        }
        #expect(try await site.terminate() == "0")
    }

    /// Keeps each state of the button where the next page can read it.
    private static let noteStates = """
        const button = document.querySelector('#login button');
        new MutationObserver(() => {
            const states = sessionStorage.getItem('states') ?? '';
            sessionStorage.setItem('states', `${states}${button.ariaBusy} ${button.textContent.trim()};`);
        }).observe(button, { subtree: true, childList: true, characterData: true, attributes: true });
        """

    private func fill(_ browser: Browser, _ email: String, _ password: String) async throws {
        for (field, text) in [("#email", email), ("#password", password)] {
            try await browser.execute("document.querySelector(arguments[0]).value = ''", .string(field))
            if !text.isEmpty { try await browser.type(text, into: field) }
        }
    }

    @Test(arguments: [Browser.Viewport.smallPhone, .phone, .desktop], Browser.ColorScheme.allCases)
    func `every page of the gallery fits`(viewport: Browser.Viewport, scheme: Browser.ColorScheme) async throws {
        let chapters = Self.patterns + ["mvp-r"]
        let screens = [
            "mvc/login", "mvc/label", "mvc/label/detail", "mvp/counter", "mvp-r/label/dismissed", "mvvm/login",
            "mvvm-c/user/2/detail", "viper/items",
        ]
        let site = try await SiteProcess.start(["DATABASE_URL": "memory:"], under: SiteProcess.quiet)
        try await Browser.run(viewport, scheme) { browser in
            let below = (chapters + screens).map({ "/patterns/" + $0 })
            for path in ["/patterns", "/patterns/beside?left=mvp&right=viper"] + below {
                try await browser.open(site.url + path)
                #expect(try await browser.execute(Browser.overflow) == 0, "\(path) scrolls sideways")
                try await browser.keepPicture("\(path)-\(viewport.width)-\(scheme)")
            }
            #expect(try await browser.errors() == [])
        }
        #expect(try await site.terminate() == "0")
    }

    @Test func `the counter counts, and a chapter shows what that called`() async throws {
        let site = try await SiteProcess.start(["DATABASE_URL": "memory:"], under: SiteProcess.quiet)
        try await Browser.run { browser in
            try await browser.open(site.url + "/patterns/mvp/counter")
            for count in 1...2 {
                try await browser.follow("#increment")
                #expect(try await browser.text("#count") == "\(count)")
            }
            try await browser.follow(".aside a")
            #expect(try await browser.texts(".calls li").count == 3)
            try await browser.click(".feature summary")
            #expect(try await browser.text(".feature pre").contains("protocol LoginView"))
            try await browser.keepPicture("trace")
        }
        #expect(try await site.terminate() == "0")
    }

    @Test func `two windows show the state of one view model`() async throws {
        let site = try await SiteProcess.start(["DATABASE_URL": "memory:"], under: SiteProcess.quiet)
        try await Browser.run { browser in
            try await browser.open(site.url + "/patterns/mvvm/login")
            let (first, second) = try await browser.openWindow()
            try await browser.open(site.url + "/patterns/mvvm/login")
            try await browser.type("mine", into: "#password")
            try await browser.use(first)
            try await browser.type("test@example.com", into: "#email")
            try await browser.follow("#login button")
            #expect(try await browser.text("#error") == "Password cannot be empty")
            try await browser.use(second)
            try await browser.waitUntil("document.querySelector('#error').checkVisibility()")
            try await browser.waitUntil("document.querySelector('#email').value === 'test@example.com'")
            #expect(try await browser.property("value", of: "#password") == "mine")
            try await browser.keepPicture("mvvm-second-window")
        }
        #expect(try await site.terminate() == "0")
    }

    @Test func `a counter counts in all windows`() async throws {
        let site = try await SiteProcess.start(["DATABASE_URL": "memory:"], under: SiteProcess.quiet)
        try await Browser.run { browser in
            try await browser.open(site.url + "/patterns/mvp/counter")
            let (first, second) = try await browser.openWindow()
            try await browser.open(site.url + "/patterns/mvp/counter")
            try await browser.use(first)
            try await browser.follow("#increment")
            #expect(try await browser.text("#count") == "1")
            try await browser.use(second)
            try await browser.waitUntil("document.querySelector('#count').textContent === '1'")
            // One that has counted itself follows on.
            try await browser.follow("#increment")
            try await browser.use(first)
            try await browser.waitUntil("document.querySelector('#count').textContent === '2'")
            #expect(try await browser.errors() == [])
        }
        #expect(try await site.terminate() == "0")
    }
}
