import Testing

/// Pages that reload by themselves under `scripts/dev`: each test edits a file, and waits for the page to be another.
extension SiteBrowserTests {
    @Test func `an open page shows an edit of a template, and then of a style`() async throws {
        try await develop { browser, package in
            try await browser.open(package.url + "/chat")
            #expect(try await browser.text("h1") == "Chat")
            try await browser.waitForNewPage {
                try package.edit("Templates/chat.mustache", "<h1>Chat</h1>", to: "<h1>Edited</h1>")
            }
            #expect(try await browser.text("h1") == "Edited")
            try await browser.waitForNewPage {
                try package.edit("public/chat.css", "body {", to: "h1 { color: rgb(1, 2, 3); } body {")
            }
            let color = "return getComputedStyle(document.querySelector('h1')).color"
            #expect(try await browser.execute(color) == "rgb(1, 2, 3)")
            #expect(try await browser.errors().filter { $0.source != "network" } == [])
        }
    }

    @Test func `an open page shows that a template is broken, and recovers`() async throws {
        try await develop { browser, package in
            try await browser.open(package.url + "/chat")
            let (whole, broken) = ("<h1>Chat</h1>", "<h1>{{#chat}}</h1>")
            try await browser.waitForNewPage { try package.edit("Templates/chat.mustache", whole, to: broken) }
            #expect(try await browser.text("h1").contains("error"))
            try await browser.waitForNewPage { try package.edit("Templates/chat.mustache", broken, to: whole) }
            #expect(try await browser.text("h1") == "Chat")
        }
    }

    @Test func `an open page shows what the next program responds on the same socket`() async throws {
        try await develop { browser, package in
            try await browser.open(package.url + "/users")
            #expect(try await browser.text("h1") == "404 Not Found")
            try await browser.waitForNewPage { try package.build("UserSite") }
            #expect(try await browser.text("h1") == "User List")
            try await browser.waitForNewPage { try package.build("Chat") }
            #expect(try await browser.text("h1") == "404 Not Found")
        }
    }

    @Test(arguments: [Browser.Viewport.phone, .desktop], Browser.ColorScheme.allCases)
    func `an open page shows the compiler's errors, and recovers`(
        viewport: Browser.Viewport, scheme: Browser.ColorScheme
    ) async throws {
        try await develop(viewport, scheme) { browser, package in
            try await browser.open(package.url + "/chat")
            try await browser.waitForNewPage { try package.build("ChatControllerWithNoSpacesAtAll") }
            #expect(try await browser.text("h1") == "The build has failed")
            let error = "Sources/App/App.swift:1:14: error: cannot find 'ChatControllerWithNoSpacesAtAll' in scope"
            #expect(try await browser.texts("section .what") == [error])
            #expect(try await browser.text("pre").contains("prefix: \"<api>\""))
            #expect(try await browser.text("mark").contains("`- error: cannot find 'ChatController"))
            // What is wider than the screen scrolls by itself.
            #expect(try await browser.execute(Self.isWrong) == false)
            #expect(try await browser.execute(Browser.overflow) == 0)
            try await browser.keepPicture("build-error-\(viewport.width)-\(scheme)")
            try await browser.waitForNewPage { try package.build("OtherController") }
            #expect(try await browser.text("section .what").contains("cannot find 'OtherController'"))
            try await browser.waitForNewPage { try package.build("Chat") }
            #expect(try await browser.text("h1") == "Chat")
        }
    }

    /// Whether some text goes beyond its box, or the page is light where it should be dark.
    private static let isWrong = """
        const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
        const light = getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0] > 128;
        return light === isDark || [...document.querySelectorAll('body *')].some(one =>
            one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX === 'visible'
                && getComputedStyle(one).display !== 'inline');
        """

    private func develop(
        _ viewport: Browser.Viewport = .desktop,
        _ scheme: Browser.ColorScheme = .light,
        _ body: (Browser, DevelopedPackage) async throws -> Void
    ) async throws {
        let package = try await DevelopedPackage.start()
        defer { package.remove() }
        try await Browser.run(viewport, scheme) { try await body($0, package) }
    }
}
