import Roost
import Testing

/// Patches: one element is changed.
extension LiveScriptBrowserTests {
    private static let page = PlayedPage(
        """
        <p data-live-news data-many="{n} Änderungen."></p><ul id="users" data-live tabindex="-1">
        <li id="user-1">Ann</li>
        <li id="user-2">Bob <input id="note"> <a href="#x">x</a></li>
        </ul>
        """, after: "1.1")

    private static let names = "[...document.querySelectorAll('#users li')].map((row) => row.textContent.trim()).join()"

    private static let focused = "return document.activeElement.id + document.activeElement.value"

    @Test func `each action changes its target, and the focus stays`() async throws {
        try await visit { browser, site in
            try await open("/list", Self.page, browser, site)
            try await browser.type("typed", into: "#note")
            let row = #"<li id="user-2">Bobby <input id="note"> <a href="/y">y</a></li>"#
            site.publish("/list", id: "2", try event("patch", "user-2", row, news: "Bob is Bobby."))
            try await browser.waitUntil("document.querySelector('[data-live-news]').textContent === 'Bob is Bobby.'")
            #expect(try await browser.execute("return \(Self.names)").string == "Ann,Bobby  y")
            #expect(try await browser.execute(Self.focused) == "notetyped")
            site.publish("/list", source: 1, id: "2", try event("append", "users", "<li id=\"user-3\">Cid</li>"))
            site.publish("/list", source: 1, id: "3", try event("prepend", "users", "<li id=\"user-0\">Zed</li>"))
            try await browser.waitUntil("\(Self.names) === 'Zed,Ann,Bobby  y,Cid'")
            // What is added twice is changed where it is.
            site.publish("/list", source: 1, id: "4", try event("append", "users", "<li id=\"user-0\">Zoe</li>"))
            try await browser.waitUntil("\(Self.names) === 'Zoe,Ann,Bobby  y,Cid'")
            // A new element takes the focus by its id.
            site.publish("/list", id: "3", try event("replace", "user-2", #"<li id="user-2"><input id="note"></li>"#))
            try await browser.waitUntil("\(Self.names) === 'Zoe,Ann,,Cid'")
            #expect(try await browser.execute(Self.focused) == "note")
            site.publish("/list", id: "4", #"{"action":"remove","target":"user-2"}"#)
            try await browser.waitUntil("\(Self.names) === 'Zoe,Ann,Cid'")
            #expect(try await browser.execute("return document.activeElement.id") == "users")
            #expect(site.count("refresh /list") == 0)
        }
    }

    @Test func `what cannot be done is not done, and the next event is`() async throws {
        try await visit { browser, site in
            try await open("/list", Self.page, browser, site)
            site.publish("/list", id: "2", try event("patch", "user-9", "<li>Nobody</li>"))
            site.publish("/list", id: "3", try event("append", "user-9", "<li id=\"user-9\">Nobody</li>"))
            site.publish("/list", id: "4", try event("fly", "user-1", "<li>Nobody</li>"))
            site.publish("/list", id: "5", try event("patch", "user-1", "no element"))
            site.publish("/list", id: "6", #"{"action":"remove","target":"user-9"}"#)
            site.publish("/list", id: "7", #"{"action":"visit","url":"https://example.com/"}"#)
            site.publish("/list", id: "8", #"{"action":"visit","url":"javascript:alert(1)"}"#)
            // An event that the page has already is not applied again, and one for another page is not its business.
            site.publish("/list", id: "6", try event("patch", "user-1", "<li id=\"user-1\">Old</li>"))
            site.publish("/other", id: "20", try event("patch", "user-1", "<li id=\"user-1\">Other</li>"))
            site.publish("/list", id: nil, try event("append", "users", "<li>No id</li>"))
            site.publish("/list", id: "9", try event("append", "users", "<li>Last</li>"))
            try await browser.waitUntil("\(Self.names) === 'Ann,Bob  x,No id,Last'")
            #expect(try await browser.url == site.url + "/list")
        }
    }

    @Test func `markup in a name is text, and scripts in fragments do not run`() async throws {
        try await visit { browser, site in
            try await open("/list", Self.page, browser, site)
            let name = "&lt;img src=x onerror=alert(1)&gt;"
            let scripts = "<script>document.title = 'run'</script><script src=\"/run.js\"></script>"
            let row = "<li id=\"user-1\">\(name)\(scripts)</li>"
            site.on("GET /run.js") { _ in
                Response(.ok, headers: [.contentType: "text/javascript"], body: Body("document.title = 'run'"))
            }
            site.publish("/list", id: "2", try event("patch", "user-1", row))
            site.publish("/list", id: "3", try event("append", "users", row.replacing("user-1", with: "user-5")))
            try await browser.waitFor("#user-5")
            #expect(try await browser.text("#user-1") == "<img src=x onerror=alert(1)>")
            #expect(try await browser.count("#users img") == 0)
            #expect(try await browser.title == "Live")
            #expect(site.count("GET /run.js") == 0)
        }
    }

    @Test func `many news are counted in the page's words`() async throws {
        try await visit { browser, site in
            try await open("/list", Self.page, browser, site)
            for id in 2...5 {
                site.publish("/list", id: "\(id)", try event("patch", "user-1", "<li id=\"user-1\">A</li>", news: "A."))
            }
            try await browser.waitUntil("document.querySelector('[data-live-news]').textContent === '4 Änderungen.'")
        }
    }

    @Test func `events that come while the page is fetched are applied unless it has them`() async throws {
        try await visit { browser, site in
            try await open("/list", Self.page, browser, site)
            site.on("refresh /list") { _ in
                // The page is made at 3, and 4 happens while it is on its way.
                let page = PlayedPage(
                    Self.page.body.replacing(">Ann<", with: ">Three<").replacing("tabindex", with: "lang=de tabindex"),
                    after: "3.1")
                site.publish("/list", id: "3", try event("patch", "user-1", "<li id=\"user-1\">Old</li>"))
                site.publish("/list", id: "4", try event("append", "users", "<li id=\"user-4\">Four</li>"))
                return page.response
            }
            site.publish("/list", id: "2", Self.refresh)
            try await browser.waitUntil("\(Self.names) === 'Three,Bob  x,Four'")
        }
    }

    @Test func `a form is changed as any other element, whatever its fields are called`() async throws {
        func form(_ id: String, _ attributes: String = "") -> String {
            """
            <form id="\(id)" \(attributes)><input name="id"><input name="attributes">
            <input name="reset"><input name="matches"><input name="contains">
            <button name="remove">Remove</button></form>
            """
        }
        try await visit { browser, site in
            let first = PlayedPage("<div id=\"list\" data-live>\(form("one"))</div>", after: "1")
            try await open("/list", first, browser, site)
            site.publish("/list", id: "2", try event("append", "list", form("two")))
            site.publish("/list", id: "3", try event("append", "list", form("two", "title=\"again\"")))
            site.publish("/list", id: "4", try event("patch", "one", form("one", "title=\"new\"")))
            try await browser.waitUntil("document.querySelector('#one[title=new]')")
            #expect(try await browser.count("#list > form") == 2)
            #expect(try await browser.count("#two[title=again]") == 1)
            site.show("/list", PlayedPage("<div id=\"list\" data-live>\(form("two"))</div>", after: "5"))
            site.publish("/list", id: "5", Self.refresh)
            try await browser.waitUntil("!document.querySelector('#one')")
            site.publish("/list", id: "6", #"{"action":"remove","target":"two"}"#)
            try await browser.waitUntil("!document.querySelector('#two')")
        }
    }

    @Test func `one row of a thousand`() async throws {
        try await visit { browser, site in
            let rows = (1...1000).map { "<li id=\"user-\($0)\"><a href=\"/users/\($0)\">Owl \($0)</a> <b>x</b></li>\n" }
            let page = PlayedPage("<ul id=\"users\" data-live>\(rows.joined())</ul>", after: "1")
            try await open("/list", page, browser, site)
            for id in 2...21 {
                let row = "<li id=\"user-\(id * 40)\"><a href=\"/users/\(id)\">Changed</a> <b>x</b></li>"
                site.publish("/list", id: "\(id)", try event("patch", "user-\(id * 40)", row))
            }
            try await browser.waitUntil("document.getElementById('user-840').textContent === 'Changed x'")
            #expect(try await browser.count("#users li:nth-child(40n) a[href^='/users/']") == 25)
            #expect(try await browser.count("#users li") == 1000)
        }
    }
}
