import Roost
import RoostTesting
import Testing

/// Forms beside a live list, and what comes while they are sent or show mistakes.
extension LiveScriptBrowserTests {
    private static func page(
        _ list: String, note: String = "old", wrong: Bool = false, after: String? = nil
    ) -> PlayedPage {
        PlayedPage(
            """
            <main id="main" data-live><p id="list">\(list)</p>
            <form id="new" method="post" action="/users" data-live><p id="note">\(note)</p>
            <input id="name" name="name" \(wrong ? "aria-invalid=\"true\"" : "")>
            <p role="alert" data-failed hidden>Not sent.</p><button type="submit">Save</button></form></main>
            """, after: after)
    }

    private static let mistake = {
        var answer = page("one", wrong: true)
        answer.status = .unprocessableContent
        return answer
    }()

    private static let text = "document.getElementById('list').textContent"

    /// Opens the page, and sends its form to a server that waits for the latch.
    private func send(
        _ browser: Browser, _ site: LiveSite, until latch: Latch, _ response: @escaping @Sendable () -> Response
    ) async throws {
        site.on("POST /users") { _ in
            await latch.wait()
            return response()
        }
        try await open("/new", Self.page("one", after: "1"), browser, site)
        try await browser.click("button")
        try await eventually(browser) { site.count("POST /users") == 1 }
    }

    @Test func `an event for a form that is being sent is not lost when the sending fails`() async throws {
        try await visit { browser, site in
            let latch = Latch()
            try await send(browser, site, until: latch) {
                Response(.internalServerError, "text/plain", Body("Not now."))
            }
            site.publish("/new", id: "2", try event("patch", "note", "<p id=\"note\">new</p>"))
            site.publish("/new", id: "3", try event("patch", "list", "<p id=\"list\">two</p>"))
            try await browser.waitUntil("\(Self.text) === 'two'")
            #expect(try await browser.text("#note") == "old")
            site.show("/new", Self.page("two", note: "new", after: "3"))
            latch.open()
            try await browser.waitUntil("document.getElementById('note').textContent === 'new'")
            // The word about the failure outlives that, and every other event.
            #expect(try await browser.execute("return document.querySelector('[data-failed]').hidden") == false)
        }
    }

    @Test func `a response to a form that is older than an event does not take it back`() async throws {
        try await visit { browser, site in
            let latch = Latch()
            try await send(browser, site, until: latch) { Self.mistake.response }
            site.publish("/new", id: "2", try event("patch", "list", "<p id=\"list\">two</p>"))
            try await browser.waitUntil("\(Self.text) === 'two'")
            site.show("/new", Self.page("two", after: "2"))
            latch.open()
            try await browser.waitUntil("document.querySelector('[aria-invalid]') && \(Self.text) === 'two'")
            // Nothing came meanwhile the second time, so the page is not asked for again.
            let refreshes = site.count("refresh /new")
            site.on("POST /users") { _ in Self.mistake.response }
            try await browser.click("button")
            try await browser.waitUntil("\(Self.text) === 'one'")
            #expect(site.count("refresh /new") == refreshes)
        }
    }

    @Test func `an event that an answer takes back comes again, though a later one follows the answer`() async throws {
        try await visit { browser, site in
            // The stream is opened again only when the test says so.
            let script = """
                const wait = setTimeout;
                window.setTimeout = (work, ...rest) => {
                  if (!window.isHeld || work.name !== 'open') return wait(work, ...rest);
                  window.reopen = work;
                  return -1;
                };
                """
            try await browser.session.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
            try await open("/new", Self.page("one", after: "5"), browser, site)
            try await browser.execute("window.isHeld = true")
            let latch = Latch()
            site.on("POST /users") { _ in .redirect(to: "/new") }
            site.on("GET /new") { _ in
                await latch.wait()
                return Self.page("one", after: "5").response
            }
            try await browser.click("button")
            try await eventually(browser) { site.count("GET /new") == 2 }
            site.publish("/new", id: "6", try event("patch", "list", "<p id=\"list\">two</p>"))
            try await browser.waitUntil("\(Self.text) === 'two'")
            latch.open()
            try await browser.waitUntil("\(Self.text) === 'one'")
            site.publish("/new", id: "7", try event("patch", "note", "<p id=\"note\">new</p>"))
            let note = "return document.getElementById('note').textContent"
            try await eventually(browser) { try await browser.execute(note) == "new" || site.streams == 0 }
            try await browser.execute("isHeld = false; reopen()")
            try await browser.waitUntil(
                "\(Self.text) === 'two' && document.getElementById('note').textContent === 'new'")
        }
    }

    @Test func `an event that leads to another page does not break off what a form sends`() async throws {
        try await visit { browser, site in
            let latch = Latch()
            try await send(browser, site, until: latch) {
                Response(.internalServerError, "text/plain", Body("Not now."))
            }
            try await browser.execute("XMLHttpRequest.prototype.abort = () => { window.isAborted = true; }")
            site.show("/next", PlayedPage("<main><h1>Next</h1></main>"))
            site.publish("/new", id: "2", #"{"action":"visit","url":"/next"}"#)
            site.publish("/new", id: "3", try event("patch", "list", "<p id=\"list\">two</p>"))
            try await browser.waitUntil("\(Self.text) === 'two'")
            latch.open()
            try await browser.waitFor("h1")
            #expect(try await browser.url == site.url + "/next")
            #expect(try await browser.execute("return window.isAborted === undefined") == true)
        }
    }

    @Test func `a page that is to be loaded again waits until its form has been sent`() async throws {
        try await visit { browser, site in
            let latch = Latch()
            try await send(browser, site, until: latch) {
                Response(.internalServerError, "text/plain", Body("Not now."))
            }
            site.show("/new", PlayedPage("<main id=\"other\" data-live><h1>Other</h1></main>", after: "2"))
            site.publish("/new", id: "2", Self.refresh)
            try await eventually(browser) { site.count("refresh /new") == 1 }
            site.publish("/new", id: "3", try event("patch", "list", "<p id=\"list\">two</p>"))
            try await browser.waitUntil("\(Self.text) === 'two'")
            latch.open()
            try await browser.waitFor("h1")
        }
    }

    @Test func `a form that shows mistakes is not touched, and nothing in it`() async throws {
        try await visit { browser, site in
            let latch = Latch()
            latch.open()
            try await send(browser, site, until: latch) { Self.mistake.response }
            try await browser.waitUntil("document.querySelector('[aria-invalid]')")
            site.publish("/new", id: "2", try event("replace", "new", "<form id=\"new\"></form>"))
            site.publish("/new", id: "3", try event("patch", "note", "<p id=\"note\">new</p>"))
            site.publish("/new", id: "4", try event("patch", "list", "<p id=\"list\">two</p>"))
            try await browser.waitUntil("\(Self.text) === 'two'")
            #expect(try await browser.text("#note") == "old")
            #expect(try await browser.count("[aria-invalid]") == 1)
        }
    }

    @Test func `a mistake with a page of its own stays until the visitor goes on`() async throws {
        try await visit { browser, site in
            let latch = Latch()
            try await send(browser, site, until: latch) {
                var page = PlayedPage("<main><h1>Taken</h1></main>")
                page.status = .conflict
                return page.response
            }
            latch.open()
            try await browser.waitFor("h1")
            try await eventually(browser) { site.streams == 0 }
            site.publish("/new", id: "2", Self.refresh)
            #expect(try await browser.text("h1") == "Taken")
            #expect(site.count("GET /new") == 1)
            #expect(site.count("refresh /new") == 0)
        }
    }

    @Test func `what is typed while a form is sent stays in its field, without what was sent`() async throws {
        func page(_ messages: [String]) -> PlayedPage {
            let rows = messages.map { "<li>\($0)</li>" }
            return PlayedPage(
                """
                <main><ol>\(rows.joined())</ol><form method="post" action="/chat" data-live>
                <input id="text" name="text"><input id="to" name="to"><button>Say</button></form></main>
                """)
        }
        try await visit { browser, site in
            let latch = Latch()
            site.show("/chat", page([]))
            site.on("POST /chat") { _ in
                await latch.wait()
                return .redirect(to: "/chat")
            }
            try await browser.open(site.url + "/chat")
            try await browser.type("first", into: "#text")
            try await browser.type("all", into: "#to")
            try await browser.click("button")
            try await eventually(browser) { site.count("POST /chat") == 1 }
            try await browser.type("second", into: "#text")
            site.show("/chat", page(["first"]))
            latch.open()
            try await browser.waitFor("li")
            #expect(try await browser.property("value", of: "#text") == "second")
            #expect(try await browser.property("value", of: "#to") == "")
            // Another page's form begins anew.
            let second = Latch()
            site.on("POST /chat") { _ in
                await second.wait()
                return .redirect(to: "/chat?page=2")
            }
            try await browser.click("button")
            try await eventually(browser) { site.count("POST /chat") == 2 }
            try await browser.type("third", into: "#text")
            site.show("/chat?page=2", page(["first", "second"]))
            second.open()
            try await browser.waitUntil("document.querySelectorAll('li').length === 2")
            #expect(try await browser.property("value", of: "#text") == "")
        }
    }

    @Test(arguments: [true, false])
    func `fields that an answer fills have its values, not those of the page before as well`(
        isMistake: Bool
    ) async throws {
        func page(_ slug: String, version: Int) -> PlayedPage {
            PlayedPage(
                """
                <main><form method="post" action="/posts" data-live><input id="title" name="title">
                <input id="slug" name="slug" value="\(slug)"><textarea id="text" name="text">\(slug)</textarea>
                <input id="version" type="hidden" name="version" value="\(version)">
                <input id="tag" type="checkbox" name="tag" value="t\(version)"><button>Save</button></form></main>
                """)
        }
        try await visit { browser, site in
            site.show("/posts", page("", version: 1))
            var filled = page("my-title", version: 17)
            if isMistake { filled.status = .unprocessableContent }
            let answer = filled
            site.on("POST /posts") { _ in isMistake ? answer.response : .redirect(to: "/posts") }
            try await browser.open(site.url + "/posts")
            site.show("/posts", answer)
            try await browser.click("button")
            try await eventually(browser, "document.getElementById('slug').value !== ''")
            #expect(try await browser.property("value", of: "#slug") == "my-title")
            #expect(try await browser.property("value", of: "#text") == "my-title")
            #expect(try await browser.property("value", of: "#version") == "17")
            #expect(try await browser.property("value", of: "#tag") == "t17")
        }
    }
}
