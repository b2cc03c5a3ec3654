import Roost
import Testing

/// The event stream: one for all tabs, and nothing is missed.
extension LiveScriptBrowserTests {
    private static func page(_ text: String = "old") -> PlayedPage {
        PlayedPage("<ul id=\"log\" data-live><li>\(text)</li></ul>", after: "1")
    }

    private func append(_ text: String) throws -> String { try event("append", "log", "<li>\(text)</li>") }

    private static let log = "[...document.querySelectorAll('#log li')].map((row) => row.textContent).join()"

    @Test func `two tabs have one stream, and the second goes on when the first ends`() async throws {
        try await visit { browser, site in
            try await open("/a", Self.page(), browser, site)
            let (first, second) = try await browser.openWindow()
            try await open("/b", Self.page(), browser, site)
            #expect(site.followed == ["/a", "/b"])
            #expect(site.streams == 1)
            site.publish("/a", id: "2", try append("for a"))
            site.publish("/b", id: "7", try append("for b"))
            try await browser.waitUntil("\(Self.log) === 'old,for b'")
            try await browser.use(first)
            try await browser.waitUntil("\(Self.log) === 'old,for a'")
            try await browser.session.delete("window")
            // The first tab had the stream. This comes while nobody has one, or somebody has it again.
            site.publish("/b", id: "8", try append("in between"))
            try await browser.use(second)
            try await browser.waitUntil("\(Self.log) === 'old,for b,in between'")
            try await eventually(browser) { site.followed == ["/b"] && site.streams == 1 }
            #expect(site.opened.last == "page=%2Fb&after=7" || site.opened.last == "page=%2Fb&after=8")
        }
    }

    @Test func `tabs with the same page share its place`() async throws {
        try await visit { browser, site in
            try await open("/a?x=1&y=%26", Self.page(), browser, site)
            let (first, _) = try await browser.openWindow()
            try await browser.open(site.url + "/a?x=1&y=%26")
            site.show("/b", Self.page())
            _ = try await browser.openWindow()
            try await browser.open(site.url + "/b")
            try await eventually(browser) { site.followed == ["/a?x=1&y=%26", "/b"] }
            #expect(site.streams == 1)
            site.publish("/a?x=1&y=%26", id: "2", try append("both"))
            try await browser.use(first)
            try await browser.waitUntil("\(Self.log) === 'old,both'")
        }
    }

    @Test(arguments: [
        "delete Navigator.prototype.locks",
        "LockManager.prototype.request = () => Promise.reject(new DOMException('', 'SecurityError'))",
    ])
    func `tabs without locks, or to which they are forbidden, have a stream each`(script: String) async throws {
        try await visit { browser, site in
            let noLocks: JSONValue = ["source": .string(script)]
            try await browser.session.devTools("Page.addScriptToEvaluateOnNewDocument", noLocks)
            try await open("/a", Self.page(), browser, site)
            let (first, _) = try await browser.openWindow()
            try await browser.session.devTools("Page.addScriptToEvaluateOnNewDocument", noLocks)
            try await open("/b", Self.page(), browser, site)
            #expect(site.streams == 2)
            site.publish("/a", id: "2", try append("for a"))
            try await browser.use(first)
            try await browser.waitUntil("\(Self.log) === 'old,for a'")
        }
    }

    @Test func `the server goes, and comes back with what has happened`() async throws {
        try await visit { browser, site in
            try await open("/a", Self.page(), browser, site)
            site.publish("/a", id: "2", try append("before"))
            try await browser.waitUntil("\(Self.log) === 'old,before'")
            site.setAway(true)
            site.publish("/a", id: "3", try append("meanwhile"))
            try await eventually(browser) { site.opened.count >= 3 }
            #expect(site.streams == 0)
            site.setAway(false)
            try await browser.waitUntil("\(Self.log) === 'old,before,meanwhile'")
            #expect(site.opened.last == "page=%2Fa&after=2")
            #expect(site.count("GET /a") == 1)
        }
    }

    @Test func `a page whose stream is refused asks whether it may still be seen`() async throws {
        try await visit { browser, site in
            // After a sign-out, a guard around everything refuses the stream, too.
            let script = """
                const Stream = EventSource;
                window.EventSource = class extends Stream {
                  constructor(url) { super(window.isSignedOut ? '/refused' : url); }
                };
                """
            try await browser.session.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
            try await open("/a", Self.page("private"), browser, site)
            site.show("/login", PlayedPage("<h1>Sign in</h1>"))
            for request in ["GET /a", "refresh /a"] { site.on(request) { _ in .redirect(to: "/login") } }
            try await browser.execute("window.isSignedOut = true")
            try await browser.waitForNewPage {
                site.setAway(true)
                site.setAway(false)
            }
            try await browser.waitFor("h1")
            #expect(try await browser.url == site.url + "/login")
            #expect(site.count("refresh /a") == 1)
        }
    }

    @Test func `a page follows again as soon as the browser knows that it is online`() async throws {
        try await visit { browser, site in
            // No pause after a failure ends by itself.
            let script = """
                const wait = setTimeout;
                window.setTimeout = (work, ...rest) => work.name === 'lead' ? -1 : wait(work, ...rest);
                """
            try await browser.session.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
            try await open("/a", Self.page(), browser, site)
            site.setAway(true)
            site.setAway(false)
            try await eventually(browser) { site.streams == 0 }
            site.publish("/a", id: "2", try append("meanwhile"))
            try await browser.execute("dispatchEvent(new Event('online'))")
            try await browser.waitUntil("\(Self.log) === 'old,meanwhile'")
        }
    }

    @Test func `a hidden page rests, and catches up when it is shown`() async throws {
        try await visit { browser, site in
            let shortRest = """
                const wait = setTimeout;
                window.setTimeout = (work, time) => wait(work, time === 60000 ? 0 : time);
                """
            try await browser.session.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(shortRest)])
            try await open("/a", Self.page(), browser, site)
            try await setHidden(browser, true)
            try await eventually(browser) { site.streams == 0 }
            site.publish("/a", id: "2", try append("unseen"))
            #expect(try await browser.execute("return \(Self.log)") == "old")
            try await setHidden(browser, false)
            try await browser.waitUntil("\(Self.log) === 'old,unseen'")
        }
    }

    @Test func `a hidden tab gives the stream to one that is seen`() async throws {
        try await visit { browser, site in
            try await open("/a", Self.page(), browser, site)
            let (first, second) = try await browser.openWindow()
            try await open("/b", Self.page(), browser, site)
            let holder = try await self.holder(browser)
            try await browser.use(first)
            try await setHidden(browser, true)
            try await eventually(browser) { try await self.holder(browser) ?? holder != holder }
            try await eventually(browser) { site.streams == 1 && site.followed == ["/a", "/b"] }
            site.publish("/a", id: "2", try append("hidden"))
            try await browser.waitUntil("\(Self.log) === 'old,hidden'")
            site.publish("/b", id: "2", try append("shown"))
            try await browser.use(second)
            try await browser.waitUntil("\(Self.log) === 'old,shown'")
        }
    }

    @Test func `a stream has at most sixteen pages, those that are seen first`() async throws {
        try await visit { browser, site in
            try await open("/a", Self.page(), browser, site)
            try await browser.execute(
                """
                const channel = new BroadcastChannel(document.querySelector("script[src*='/_live/']").src);
                for (let n = 0; n < 40; n++) {
                  channel.postMessage({ tab: 'tab' + n, path: '/hidden/' + n, after: ['1'], isHidden: true });
                }
                channel.postMessage({ tab: 'seen', path: '/seen', after: ['3'], isHidden: false });
                """)
            try await eventually(browser) { site.followed.contains("/seen") && site.streams == 1 }
            #expect(site.followed.count == 16)
            #expect(site.followed.contains("/a"))
        }
    }

    @Test func `a page that comes back by the back button goes on`() async throws {
        try await visit { browser, site in
            site.show("/plain", PlayedPage("<h1>Plain</h1>"))
            try await open("/a", Self.page(), browser, site)
            try await browser.open(site.url + "/plain")
            try await eventually(browser) { site.streams == 0 }
            site.publish("/a", id: "2", try append("meanwhile"))
            try await browser.goBack()
            try await browser.waitUntil("\(Self.log) === 'old,meanwhile'")
            site.publish("/a", id: "3", try append("after"))
            try await browser.waitUntil("\(Self.log) === 'old,meanwhile,after'")
        }
    }

    @Test func `a page that is not live opens no stream`() async throws {
        try await visit { browser, site in
            site.show("/plain", PlayedPage("<h1>Plain</h1>"))
            try await browser.open(site.url + "/plain")
            try await open("/a", Self.page(), browser, site)
            #expect(site.opened == ["page=%2Fa&after=1"])
        }
    }

    private func setHidden(_ browser: Browser, _ isHidden: Bool) async throws {
        try await browser.execute(
            """
            Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
            """, .bool(isHidden))
    }

    /// The tab that has the stream.
    private func holder(_ browser: Browser) async throws -> String? {
        let script = "navigator.locks.query().then(({ held }) => arguments[0](held[0]?.clientId))"
        return try await browser.session.post("execute/async", ["script": .string(script), "args": []]).string
    }
}
