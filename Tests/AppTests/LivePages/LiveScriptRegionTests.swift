import Roost
import Testing

/// Which elements are live.
extension LiveScriptBrowserTests {
    @Test func `a live element in a live element comes with it, and the page is not loaded again`() async throws {
        func list(_ names: [String], after: String) -> PlayedPage {
            let rows = names.map { "<li id=\"row-\($0)\" data-live>\($0)</li>" }
            let body = "<main><input id=\"note\"><ul id=\"list\" data-live>\(rows.joined())</ul></main>"
            return PlayedPage(body, after: after)
        }
        try await visit { browser, site in
            try await open("/list", list(["a", "b"], after: "1"), browser, site)
            try await browser.execute("window.stays = true")
            try await browser.type("typed", into: "#note")
            site.show("/list", list(["a", "b", "c"], after: "2"))
            site.publish("/list", id: "2", Self.refresh)
            try await browser.waitFor("#row-c")
            #expect(try await browser.execute("return window.stays === true") == true)
            #expect(try await browser.property("value", of: "#note") == "typed")
        }
    }

    @Test func `an element in a form that is sent by the script is live of its own`() async throws {
        func page(_ text: String, after: String) -> PlayedPage {
            let count = "<p id=\"count\" data-live>\(text)</p>"
            return PlayedPage("<form id=\"form\" method=\"post\" data-live><b>\(text)</b>\(count)</form>", after: after)
        }
        try await visit { browser, site in
            try await open("/form", page("one", after: "1"), browser, site)
            site.show("/form", page("two", after: "2"))
            site.publish("/form", id: "2", Self.refresh)
            try await browser.waitUntil("document.getElementById('count').textContent === 'two'")
            #expect(try await browser.text("b") == "one")
        }
    }

    @Test func `an element in a live link, or in one without an id, is live of its own`() async throws {
        func page(_ text: String, after: String) -> PlayedPage {
            PlayedPage(
                """
                <a href="/in" data-live>In <b id="unread" data-live>\(text)</b></a>
                <div data-live><i id="count" data-live>\(text)</i></div><p id="note" data-live>\(text)</p>
                """, after: after)
        }
        try await visit { browser, site in
            try await open("/list", page("one", after: "1"), browser, site)
            site.show("/list", page("two", after: "2"))
            site.publish("/list", id: "2", Self.refresh)
            try await browser.waitUntil("document.getElementById('note').textContent === 'two'")
            #expect(try await browser.text("#unread") == "two")
            #expect(try await browser.text("#count") == "two")
        }
    }
}
