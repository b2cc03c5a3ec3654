import HTTPTypes
import Roost
import RoostTesting
import Testing

/// Answers to forms that are neither the page that follows nor the form with its mistakes.
extension LiveScriptBrowserTests {
    private static func form(_ note: String = "old") -> String {
        """
        <main><p id="note" data-live>\(note)</p><form method="post" action="/users" data-live>
        <textarea id="about" name="about"></textarea><p role="alert" data-failed hidden>Not sent.</p>
        <button>Save</button></form></main>
        """
    }

    @Test(arguments: [HTTPResponse.Status.forbidden, .tooManyRequests, .internalServerError])
    func `the back button leads from an error page to what has been typed`(
        status: HTTPResponse.Status
    ) async throws {
        try await visit { browser, site in
            site.on("POST /users") { _ in
                var page = PlayedPage("<main><h1>Error</h1></main>", title: "Error")
                page.status = status
                return page.response
            }
            try await open("/new", PlayedPage(Self.form(), after: "1", title: "New"), browser, site)
            try await browser.type("a long text", into: "#about")
            try await browser.click("button")
            try await browser.waitFor("h1")
            #expect(try await browser.count("#about") == 0)
            #expect(try await browser.title == "Error")
            #expect(try await browser.url == site.url + "/new")
            try await eventually(browser) { site.streams == 0 }
            site.publish("/new", id: "2", try event("patch", "note", "<p id=\"note\" data-live>new</p>"))
            try await browser.session.post("back")
            try await browser.waitFor("#about")
            #expect(try await browser.property("value", of: "#about") == "a long text")
            #expect(try await browser.title == "New")
            // The page goes on to follow what it followed.
            try await browser.waitUntil("document.getElementById('note').textContent === 'new'")
            #expect(site.count("GET /new") == 1)
            // And the form can be sent again.
            site.show("/done", PlayedPage("<h1>Done</h1>"))
            site.on("POST /users") { _ in .redirect(to: "/done") }
            try await browser.click("button")
            try await browser.waitFor("h1")
            #expect(try await browser.url == site.url + "/done")
        }
    }

    @Test func `an error page with links into itself stays, and follows nothing, until the visitor goes back`()
        async throws
    {
        let form = """
            <main><form method="post" action="/users" data-live><textarea id="about" name="about"></textarea>
            <button>Save</button></form></main>
            """
        try await visit { browser, site in
            site.on("POST /users") { _ in
                var page = PlayedPage("<main><a href=\"#more\">More</a><h1>Error</h1><p id=\"more\">No.</p></main>")
                page.status = .forbidden
                return page.response
            }
            // All of the page is live, and so would be all of the error page.
            try await open("/new", PlayedPage(form, after: "1"), browser, site)
            try await browser.type("a long text", into: "#about")
            try await browser.click("button")
            try await browser.waitFor("h1")
            try await eventually(browser) { site.streams == 0 }
            try await browser.execute("window.steps = 0; addEventListener('popstate', () => window.steps++)")
            try await browser.click("a")
            try await eventually(browser, "window.steps === 1")
            #expect(try await browser.count("h1") == 1)
            try await browser.session.post("back")
            try await eventually(browser, "window.steps === 2")
            #expect(try await browser.count("h1") == 1)
            try await browser.session.post("back")
            try await browser.waitFor("#about")
            #expect(try await browser.property("value", of: "#about") == "a long text")
        }
    }

    @Test func `what an error page has asked for comes too late for the form that is shown again`() async throws {
        try await visit { browser, site in
            let latch = Latch()
            var refused = PlayedPage("<main><h1>Error</h1><p id=\"menu\" data-live>old</p></main>", after: "1")
            refused.status = .forbidden
            let error = refused
            site.on("POST /users") { _ in error.response }
            try await open("/new", PlayedPage(Self.form(), after: "1"), browser, site)
            try await browser.type("a long text", into: "#about")
            try await browser.execute("window.stays = true")
            try await browser.click("button")
            try await browser.waitFor("h1")
            site.on("refresh /new") { _ in
                await latch.wait()
                return error.response
            }
            site.publish("/new", id: "2", Self.refresh)
            try await eventually(browser) { site.count("refresh /new") == 1 }
            try await browser.session.post("back")
            try await browser.waitFor("#about")
            site.show("/new", PlayedPage(Self.form("new"), after: "2"))
            site.on("refresh /new") { _ in PlayedPage(Self.form("new"), after: "2").response }
            latch.open()
            try await browser.waitUntil("document.getElementById('note').textContent === 'new'")
            #expect(try await browser.execute("return window.stays === true") == true)
            #expect(try await browser.property("value", of: "#about") == "a long text")
        }
    }

    @Test func `what was sent in vain is nothing to the page that is shown later`() async throws {
        try await visit { browser, site in
            site.on("POST /users") { _ in Response(.ok, "text/csv", Body("a,b")) }
            try await open("/new", PlayedPage(Self.form(), after: "1"), browser, site)
            try await browser.type("first", into: "#about")
            try await browser.click("button")
            try await browser.waitUntil("document.querySelector('[data-failed]').checkVisibility()")
            try await eventually(browser) { site.count("refresh /new") == 1 }
            try await browser.type(" more", into: "#about")
            site.show("/new", PlayedPage(Self.form("new"), after: "2"))
            site.publish("/new", id: "2", #"{"action":"visit","url":"/new"}"#)
            try await browser.waitUntil("document.getElementById('note').textContent === 'new'")
            #expect(try await browser.property("value", of: "#about") == "")
        }
    }

    @Test(arguments: [HTTPResponse.Status.ok, .noContent])
    func `a form says that its answer is no page, unless there is nothing to say`(
        status: HTTPResponse.Status
    ) async throws {
        try await visit { browser, site in
            site.show("/new", PlayedPage(Self.form()))
            site.on("POST /users") { _ in
                status == .noContent ? Response(.noContent) : Response(.ok, "text/csv", Body("a,b"))
            }
            try await browser.open(site.url + "/new")
            try await browser.click("button")
            try await eventually(browser) { site.count("POST /users") == 1 }
            try await eventually(browser, "document.querySelector('[aria-busy]') === null")
            let isHidden = try await browser.execute("return document.querySelector('[data-failed]').hidden")
            #expect(isHidden == .bool(status == .noContent))
        }
    }
}
