import Glibc
import Testing

/// The pages in a real browser, as people use them.
@Suite("The pages in a browser", .needsBrowser, .serialized, .timeLimit(.minutes(10)))
struct SiteBrowserTests {
    @Test func `a visitor reads the list`() async throws {
        try await visit { browser, site in
            try await browser.open(site.url)
            try await browser.follow("a[href='/users']")
            #expect(try await browser.text("h1") == "User List")
            #expect(try await browser.texts("main li") == ["Nelson", "Cathy"])
            try await browser.follow("a[href='/users/2']")
            #expect(try await browser.text("h1") == "Cathy")
            #expect(try await browser.errors() == [])
        }
    }

    @Test(arguments: [true, false])
    func `signing in, adding a user, signing out`(javaScript: Bool) async throws {
        try await visit(javaScript: javaScript) { browser, site in
            try await browser.open(site.url + "/login?next=/users")
            try await browser.type("test@example.com", into: "#email")
            try await browser.type("123456", into: "#password")
            try await browser.follow("main form button[type=submit]")
            #expect(try await browser.url == site.url + "/users")
            try await browser.type("  Ada <b> ", into: "#name")
            try await browser.follow("main form button[type=submit]")
            #expect(try await browser.url == site.url + "/users/3")
            #expect(try await browser.text("h1") == "Ada <b>")
            try await browser.open(site.url + "/home")
            #expect(try await browser.text("h1") == "Welcome, test@example.com")
            try await browser.follow(".account form button")
            #expect(try await browser.url == site.url + "/")
            try await browser.open(site.url + "/home")
            #expect(try await browser.url == site.url + "/login?next=%2Fhome")
            #expect(try await browser.errors() == [])
        }
    }

    @Test func `mistakes are shown beside their fields, and what was typed is kept`() async throws {
        try await visit { browser, site in
            try await browser.open(site.url + "/login")
            try await browser.type("nobody@example.com", into: "#email")
            try await browser.follow("main form button[type=submit]")
            #expect(try await browser.text("#password-error") == "Password cannot be empty")
            #expect(try await browser.count("#email-error") == 0)
            #expect(try await browser.property("value", of: "#email") == "nobody@example.com")
            #expect(try await browser.execute("return document.activeElement.id") == "password")
            try await browser.type("wrong", into: "#password")
            try await browser.follow("main form button[type=submit]")
            #expect(try await browser.text("#form-error") == "Invalid email or password")
            #expect(try await browser.property("value", of: "#password") == "")
        }
    }

    @Test(arguments: [Browser.Viewport.smallPhone, .phone, .desktop], Browser.ColorScheme.allCases)
    func `every page fits, and loads all that it names`(viewport: Browser.Viewport, scheme: Browser.ColorScheme)
        async throws
    {
        try await visit(viewport, scheme) { browser, site in
            let window = ["/_roost", "/_roost/requests/1", "/_roost/routes", "/_roost/settings"]
            let manual = ["/manual", "/manual/requests", "/manual?q=certificate"]
            for path in ["/", "/users", "/users/1", "/login"] + manual + window {
                try await browser.open(site.url + path)
                #expect(try await browser.execute(Browser.overflow) == 0, "\(path) scrolls sideways")
                #expect(try await browser.execute(Self.overlaps) == false, "\(path): links lie over the name")
                try await browser.keepPicture("\(path)-\(viewport.width)-\(scheme)")
            }
            #expect(try await browser.errors() == [])
        }
    }

    /// Whether two links of the header overlap, starting with its name.
    private static let overlaps = """
        const boxes = [...document.querySelectorAll('.top a')].map(link => link.getBoundingClientRect());
        return boxes.some((one, index) => boxes.slice(index + 1).some(other =>
            one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom));
        """

    @Test(arguments: [Browser.Viewport.phone, .desktop], Browser.ColorScheme.allCases)
    func `a broken template is shown as text, and recovers`(viewport: Browser.Viewport, scheme: Browser.ColorScheme)
        async throws
    {
        let copy = try SiteCopy()
        defer { copy.remove() }
        try await visit(viewport, scheme, root: copy.root) { browser, site in
            let markup = "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\">"
            try copy.write("users/index.mustache", "<ul>\n  {{#users}}\(markup){{nam}}{{/users}}\n</ul>")
            try await browser.open(site.url + "/users")
            #expect(try await browser.title == "A template has an error")
            #expect(try await browser.text("section p").contains("did you mean \"name\"?"))
            #expect(try await browser.text("mark") == "{{nam}}")
            #expect(try await browser.count("main script, main img") == 0)
            #expect(try await browser.execute(Browser.overflow) == 0)
            try await browser.keepPicture("broken-\(viewport.width)-\(scheme)")
            try copy.write("users/index.mustache", "<h1>Mended</h1>")
            try await browser.reload()
            #expect(try await browser.text("h1") == "Mended")
        }
    }

    @Test func `a form that is being sent cannot be sent twice`() async throws {
        try await visit { browser, site in
            try await browser.open(site.url + "/login?next=/users")
            try await browser.type("test@example.com", into: "#email")
            try await browser.type("123456", into: "#password")
            try await browser.follow("main form button[type=submit]")
            try await browser.type("Once", into: "#name")
            try await browser.waitForNewPage {
                try await browser.execute(
                    """
                    const button = document.querySelector('main form button[type=submit]');
                    button.click();
                    window.shown = button.ariaBusy + ' ' + button.textContent;
                    button.click();
                    """)
            }
            #expect(try await browser.execute("return shown") == "true Adding…")
            try await browser.open(site.url + "/users")
            #expect(try await browser.texts("main li") == ["Nelson", "Cathy", "Once"])
        }
    }

    @Test func `a click copies code of the manual, of a console only the commands`() async throws {
        try await visit { browser, site in
            try await browser.open(site.url + "/manual/proxies")
            try await browser.execute("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
            try await browser.click(".copy")
            try await browser.waitUntil("document.querySelector('.copy').textContent == 'Copied'")
            let command = "TRUSTED_PROXIES=loopback PUBLIC_URL=https://example.com App"
            #expect(try await browser.execute("return copied").string == command)
            #expect(try await browser.errors() == [])
        }
    }

    @Test func `what a click has copied is told to those who do not see the button`() async throws {
        try await visit { browser, site in
            try await browser.open(site.url + "/manual/proxies")
            try await browser.execute("navigator.clipboard.writeText = async () => {}")
            try await browser.click(".copy")
            try await browser.waitUntil("document.querySelector('.copy + [role=status]').textContent == 'Copied'")
            try await browser.execute("navigator.clipboard.writeText = async () => { throw new Error() }")
            try await browser.click(".copy")
            try await browser.waitUntil("document.querySelector('.copy + [role=status]').textContent == 'Not copied'")
        }
    }

    @Test(arguments: [Browser.Viewport.smallPhone, .desktop])
    func `a table of the manual is a stop of the Tab key where it scrolls`(viewport: Browser.Viewport) async throws {
        try await visit(viewport) { browser, site in
            try await browser.open(site.url + "/manual/sign-in")
            let isRight = """
                const boxes = [...document.querySelectorAll('.manual article .scroll')];
                return boxes.length > 0 && boxes.every(box =>
                    ['tabindex', 'role', 'aria-label'].every(name =>
                        box.hasAttribute(name) == (box.scrollWidth > box.clientWidth)));
                """
            #expect(try await browser.execute(isRight) == true)
        }
    }

    @Test(arguments: [Browser.Viewport.smallPhone, .desktop])
    func `a name in a table of the manual is not broken`(viewport: Browser.Viewport) async throws {
        try await visit(viewport) { browser, site in
            try await browser.open(site.url + "/manual/sign-in")
            let broken = """
                const names = [...document.querySelectorAll('.manual td code')];
                return names.filter(name => !/[ -]/.test(name.textContent) && name.getClientRects().length > 1)
                    .map(name => name.textContent).join();
                """
            #expect(try await browser.execute(broken).string == "")
            #expect(try await browser.text(".manual td code") == "signIn(input, request)")
        }
    }

    func visit(
        _ viewport: Browser.Viewport = .desktop,
        _ scheme: Browser.ColorScheme = .light,
        javaScript: Bool = true,
        root: String = Site.root,
        settings: [String: String] = [:],
        _ body: (Browser, SiteProcess) async throws -> Void
    ) async throws {
        let site = try await SiteProcess.start(settings.merging(["ROOT": root]) { $1 }, under: SiteProcess.quiet)
        try await Browser.run(viewport, scheme, javaScript: javaScript) { try await body($0, site) }
        #expect(try await site.terminate() == "0")
    }
}
