import Roost
import RoostTesting
import Testing

/// Forms on a live page: which of their fields and buttons change, and what is sent.
extension LiveScriptBrowserTests {
    @Test func `a hidden version stays with what has been typed beside it`() async throws {
        func page(_ version: Int) -> PlayedPage {
            PlayedPage(
                """
                <main id="main" data-live><p id="note">\(version)</p><form id="user">
                <input type="hidden" name="version" value="\(version)"><input id="name" name="name"></form></main>
                """, after: "\(version)")
        }
        let version = "return document.getElementById('user').elements.version.value"
        try await visit { browser, site in
            try await open("/user", page(1), browser, site)
            site.show("/user", page(2))
            site.publish("/user", id: "2", Self.refresh)
            try await browser.waitUntil("document.getElementById('note').textContent === '2'")
            #expect(try await browser.execute(version) == "2")
            try await browser.type("Ann", into: "#name")
            site.show("/user", page(3))
            site.publish("/user", id: "3", Self.refresh)
            try await browser.waitUntil("document.getElementById('note').textContent === '3'")
            #expect(try await browser.execute(version) == "2")
            #expect(try await browser.property("value", of: "#name") == "Ann")
        }
    }

    @Test func `a hidden version stays, too, where only a part of its form is changed`() async throws {
        func part(_ version: Int) -> String {
            """
            <div id="part" data-live><p id="note">\(version)</p>
            <input type="hidden" id="version" name="version" value="\(version)"></div>
            """
        }
        func page(_ version: Int) -> PlayedPage {
            PlayedPage("<form>\(part(version))<input id=\"name\" name=\"name\"></form>", after: "\(version)")
        }
        try await visit { browser, site in
            try await open("/user", page(1), browser, site)
            try await browser.type("Ann", into: "#name")
            site.publish("/user", id: "2", try event("patch", "part", part(2)))
            try await browser.waitUntil("document.getElementById('note').textContent === '2'")
            #expect(try await browser.property("value", of: "#version") == "1")
            site.show("/user", page(3))
            site.publish("/user", id: "3", Self.refresh)
            try await browser.waitUntil("document.getElementById('note').textContent === '3'")
            #expect(try await browser.property("value", of: "#version") == "1")
        }
    }

    @Test func `while something has been typed, hidden fields of one name go with their rows, and new fields are seen`()
        async throws
    {
        func page(_ names: [String], field: String, after: String) -> PlayedPage {
            let rows = names.map { "<li>\($0)<input type=\"hidden\" name=\"who\" value=\"\($0)\"></li>" }
            return PlayedPage(
                """
                <main id="main" data-live><form><ul>\(rows.joined())</ul>\(field)
                <input id="name" name="name"></form></main>
                """, after: after)
        }
        try await visit { browser, site in
            let hidden = "<input type=\"hidden\" name=\"state\">"
            try await open("/list", page(["Ann", "Bob", "Cid"], field: hidden, after: "1"), browser, site)
            try await browser.type("typed", into: "#name")
            site.show("/list", page(["Bob", "Cid"], field: "<input name=\"reason\">", after: "2"))
            site.publish("/list", id: "2", Self.refresh)
            try await browser.waitUntil("document.querySelectorAll('li').length === 2")
            let rows = """
                return [...document.querySelectorAll("li")]
                  .map((row) => row.textContent + row.firstElementChild.value).join();
                """
            #expect(try await browser.execute(rows) == "BobBob,CidCid")
            #expect(try await browser.count("[name=reason]:not([type=hidden])") == 1)
            #expect(try await browser.property("value", of: "#name") == "typed")
        }
    }

    @Test func `fields for browsers without scripts are not sent, wherever a page comes from`() async throws {
        func page(_ note: String, after: String) -> PlayedPage {
            PlayedPage(
                """
                <main id="main" data-live><p id="note">\(note)</p><a data-live href="/next">Next</a>
                <form id="user"><noscript><p>\(note)</p><input name="plain" value="1"></noscript>
                <input name="name"></form></main>
                """, after: after)
        }
        func names(_ id: String) -> String {
            "return [...new FormData(document.getElementById('\(id)')).keys()].join()"
        }
        try await visit { browser, site in
            try await open("/user", page("one", after: "1"), browser, site)
            site.show("/user", page("two", after: "2"))
            site.publish("/user", id: "2", Self.refresh)
            try await browser.waitUntil("document.getElementById('note').textContent === 'two'")
            #expect(try await browser.execute(names("user")) == "name")
            let form = "<form id=\"other\"><noscript><input name=\"plain\"></noscript><input name=\"city\"></form>"
            site.publish("/user", id: "3", try event("append", "main", form))
            try await browser.waitFor("#other")
            #expect(try await browser.execute(names("other")) == "city")
            site.show("/next", page("three", after: "1"))
            try await browser.click("a")
            try await browser.waitUntil("document.getElementById('note').textContent === 'three'")
            #expect(try await browser.execute(names("user")) == "name")
        }
    }

    @Test func `a form is sent without leaving the page, whatever its fields are called`() async throws {
        try await visit { browser, site in
            let fields = "<input name=\"matches\"><input name=\"reset\"><input name=\"contains\">"
            let form = "<form method=\"post\" action=\"/users\" data-live>\(fields)<button>Save</button></form>"
            site.show("/new", PlayedPage(form))
            site.show("/done", PlayedPage("<h1>Done</h1>"))
            site.on("POST /users") { _ in .redirect(to: "/done") }
            try await browser.open(site.url + "/new")
            try await browser.execute("window.stays = true")
            try await browser.follow("button")
            #expect(try await browser.text("h1") == "Done")
            #expect(try await browser.execute("return window.stays === true") == true)
        }
    }

    @Test func `a button beside its form is held with it, and then says what the page says`() async throws {
        func page(_ label: String, after: String) -> PlayedPage {
            PlayedPage(
                """
                <main id="main" data-live><p id="note">\(label)</p>
                <form id="user" method="post" action="/users" data-live data-busy="Saving…"></form>
                <button id="send" form="user">\(label)</button></main>
                """, after: after)
        }
        try await visit { browser, site in
            let latch = Latch()
            site.on("POST /users") { _ in
                await latch.wait()
                return Response(.internalServerError, "text/plain", Body("Not now."))
            }
            try await open("/new", page("one", after: "1"), browser, site)
            try await browser.click("#send")
            try await eventually(browser) { site.count("POST /users") == 1 }
            site.show("/new", page("two", after: "2"))
            site.publish("/new", id: "2", Self.refresh)
            try await browser.waitUntil("document.getElementById('note').textContent === 'two'")
            #expect(try await browser.text("#send") == "Saving…")
            latch.open()
            try await browser.waitUntil("document.getElementById('send').textContent === 'two'")
        }
    }
}
