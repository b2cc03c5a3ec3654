import HTTPTypes
import Roost
import RoostTesting
import Testing

/// Links with `data-live`, and what comes of them.
extension LiveScriptBrowserTests {
    private static let one = PlayedPage(
        """
        <main><h1>One</h1><input id="search"><a id="two" data-live href="/two#there">Two</a>
        <a id="other" data-live href="/styled">Styled</a><a id="file" data-live href="/file.txt">File</a>
        <a id="away" data-live href="/away">Away</a><a id="lost" data-live href="/lost">Lost</a>
        <a id="here" data-live href="#search">Here</a><a id="odd" data-live href="/two#50%">Odd</a>
        <a id="saved" data-live download href="/file.txt">Saved</a></main>
        """, title: "One")

    private static let two = PlayedPage(
        "<main><h1>Two</h1><div id=\"space\"></div><h2 id=\"there\">There</h2></main>", title: "Two")

    private func start(_ browser: Browser, _ site: LiveSite) async throws {
        site.show("/one", Self.one)
        site.show("/two", Self.two)
        try await browser.open(site.url + "/one")
        try await browser.execute("window.stays = true")
    }

    private func stays(_ browser: Browser) async throws -> Bool {
        try await browser.execute("return window.stays === true") == true
    }

    @Test func `a link shows its page, and the back and forward buttons theirs`() async throws {
        try await visit { browser, site in
            try await start(browser, site)
            try await browser.type("typed", into: "#search")
            try await browser.click("#two")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Two'")
            #expect(try await browser.url == site.url + "/two#there")
            #expect(try await browser.title == "Two")
            #expect(try await browser.execute("return document.activeElement.nodeName") == "MAIN")
            try await browser.session.post("back")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'One'")
            #expect(try await browser.url == site.url + "/one")
            #expect(try await browser.property("value", of: "#search") == "")
            try await browser.session.post("forward")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Two'")
            #expect(try await stays(browser))
        }
    }

    @Test func `a page for which the visitor no longer waits is not shown`() async throws {
        try await visit { browser, site in
            try await start(browser, site)
            try await browser.click("#two")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Two'")
            try await browser.execute(
                """
                window.answers = 0;
                const { send } = XMLHttpRequest.prototype;
                XMLHttpRequest.prototype.send = function (body) {
                  this.addEventListener('loadend', () => answers++);
                  send.call(this, body);
                };
                """)
            let latch = Latch()
            site.on("GET /one") { _ in
                await latch.wait()
                return Self.one.response
            }
            try await browser.session.post("back")
            try await eventually(browser) { site.count("GET /one") == 2 }
            try await browser.session.post("forward")
            try await eventually(browser, "location.pathname === '/two'")
            latch.open()
            try await eventually(browser, "answers === 1")
            #expect(try await browser.text("h1") == "Two")
            #expect(try await browser.url == site.url + "/two#there")
        }
    }

    @Test func `where a page leads elsewhere now, the back button shows the address of that`() async throws {
        try await visit { browser, site in
            try await start(browser, site)
            try await browser.click("#two")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Two'")
            site.show("/login", PlayedPage("<main><h1>Login</h1></main>"))
            site.on("GET /one") { _ in .redirect(to: "/login") }
            try await browser.session.post("back")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Login'")
            #expect(try await browser.url == site.url + "/login")
            try await browser.session.post("forward")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Two'")
            #expect(try await stays(browser))
        }
    }

    /// A long page with a link to a second one at its end.
    private func page(_ name: String, head: String = "") -> PlayedPage {
        let link = "<a data-live href=\"/second\">Second</a>"
        return PlayedPage("<main><h1>\(name)</h1><textarea rows=\"200\"></textarea>\(link)</main>", head: head)
    }

    @Test func `a page that is loaded again on the way back keeps its place in the history`() async throws {
        try await visit { browser, site in
            site.show("/first", page("First"))
            site.show("/second", page("Second"))
            try await browser.open(site.url + "/first")
            try await browser.execute("scrollTo(0, 1000); document.querySelector('a').click()")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Second'")
            site.on("GET /new.css") { _ in Response(.ok, headers: [.contentType: "text/css"], body: Body("")) }
            site.show("/first", page("First", head: "<link rel=\"stylesheet\" href=\"/new.css\">"))
            try await browser.session.post("back")
            try await browser.waitUntil("document.querySelector('link') && document.querySelector('h1')")
            #expect(try await browser.execute("return history.state.top") == 1000)
        }
    }

    @Test func `the way back leads to the place where a page was left`() async throws {
        try await visit { browser, site in
            site.show("/first", page("First"))
            site.show("/second", page("Second"))
            try await browser.open(site.url + "/first")
            try await browser.execute("scrollTo(0, 1000); document.querySelector('a').click()")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Second'")
            #expect(try await browser.execute("return scrollY") == 0)
            try await browser.session.post("back")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'First'")
            #expect(try await browser.execute("return scrollY") == 1000)
        }
    }

    @Test func `a page brings its language and its direction`() async throws {
        try await visit { browser, site in
            try await start(browser, site)
            site.on("GET /two") { _ in
                let head = "<head><script src=\"/_live/abc.js\" defer></script></head>"
                return .html("<!doctype html><html lang=ar dir=rtl>\(head)<body><h1>Two</h1></body></html>")
            }
            try await browser.click("#two")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Two'")
            #expect(try await browser.execute("return document.documentElement.lang") == "ar")
            #expect(try await browser.execute("return document.documentElement.dir") == "rtl")
            #expect(try await stays(browser))
        }
    }

    @Test func `the same page with other files is loaded, also at another fragment`() async throws {
        try await visit { browser, site in
            let form = "<form method=\"post\" action=\"/users#there\" data-live><button>Send</button></form>"
            site.show("/new", PlayedPage("<h1>Old</h1>\(form)"))
            try await browser.open(site.url + "/new")
            site.on("POST /users") { _ in .redirect(to: "/new") }
            site.on("GET /new.css") { _ in Response(.ok, headers: [.contentType: "text/css"], body: Body("")) }
            let head = "<link rel=\"stylesheet\" href=\"/new.css\">"
            site.show("/new", PlayedPage("<h1 id=\"there\">New</h1>", head: head))
            try await browser.follow("button")
            #expect(try await browser.text("h1") == "New")
            #expect(try await browser.url == site.url + "/new#there")
        }
    }

    @Test func `a style for browsers without scripts is no other file`() async throws {
        try await visit { browser, site in
            let head = "<noscript><link rel=\"stylesheet\" href=\"/plain.css\"></noscript>"
            site.show("/one", PlayedPage("<a data-live href=\"/two\">Two</a>", head: head))
            site.show("/two", PlayedPage("<h1>Two</h1>", head: head))
            try await browser.open(site.url + "/one")
            try await browser.execute("window.stays = true")
            try await browser.follow("a")
            #expect(try await browser.text("h1") == "Two")
            #expect(try await stays(browser))
            #expect(site.count("GET /two") == 1)
        }
    }

    @Test func `a fragment that cannot be decoded leads to the page`() async throws {
        try await visit { browser, site in
            try await start(browser, site)
            try await browser.follow("#odd")
            #expect(try await browser.execute("return document.activeElement.nodeName") == "MAIN")
            #expect(try await stays(browser))
        }
    }

    @Test func `a page that is not found is shown`() async throws {
        try await visit { browser, site in
            try await start(browser, site)
            try await browser.follow("#lost")
            #expect(try await browser.text("h1") == "Not found")
            #expect(try await browser.url == site.url + "/lost")
        }
    }

    @Test func `what is no page of this kind is the browser's business`() async throws {
        try await visit { browser, site in
            try await start(browser, site)
            site.show("/styled", PlayedPage("<h1>Styled</h1>", head: "<link rel=\"stylesheet\" href=\"/new.css\">"))
            site.on("GET /new.css") { _ in Response(.ok, headers: [.contentType: "text/css"], body: Body("")) }
            site.on("GET /file.txt") { _ in .text("A text") }
            let elsewhere = site.url.replacing("127.0.0.1", with: "localhost") + "/two"
            site.on("GET /away") { _ in .redirect(to: elsewhere) }
            try await browser.follow("#other")
            #expect(try await browser.text("h1") == "Styled")
            #expect(try await !stays(browser))
            try await start(browser, site)
            try await browser.follow("#file")
            #expect(try await browser.text("body") == "A text")
            try await start(browser, site)
            try await browser.follow("#away")
            #expect(try await browser.url == elsewhere)
            // The browser notes that the script may not go there.
            _ = try await browser.log()
        }
    }

    @Test func `a click with a key, and a link within the page, are the browser's business`() async throws {
        try await visit { browser, site in
            try await start(browser, site)
            let prevented = """
                const link = document.querySelector(arguments[0]);
                const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...arguments[1] });
                let result;
                addEventListener('click', (event) => { result = event.defaultPrevented; event.preventDefault(); },
                  { once: true });
                link.dispatchEvent(event);
                return result;
                """
            for options: JSONValue in [["ctrlKey": true], ["metaKey": true], ["shiftKey": true], ["button": 1]] {
                #expect(try await browser.execute(prevented, "#two", options) == false)
            }
            #expect(try await browser.execute(prevented, "#here", [:]) == false)
            #expect(try await browser.execute(prevented, "#saved", [:]) == false)
            #expect(try await browser.execute(prevented, "#two", [:]) == true)
        }
    }

    @Test func `an event leads to another page`() async throws {
        try await visit { browser, site in
            try await open("/list", PlayedPage("<main><h1>List</h1></main>", after: "1"), browser, site)
            try await browser.execute("window.stays = true")
            site.show("/two", Self.two)
            site.publish("/list", id: "2", #"{"action":"visit","url":"/two"}"#)
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Two'")
            #expect(try await browser.url == site.url + "/two")
            #expect(try await stays(browser))
            try await eventually(browser) { site.streams == 0 }
        }
    }
}
