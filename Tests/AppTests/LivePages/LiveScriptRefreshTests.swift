import HTTPTypes
import Roost
import Testing

/// A refresh: the page is fetched again, and what the visitor has done stays.
extension LiveScriptBrowserTests {
    private static func list(_ names: [(Int, String)], rest: String = "") -> String {
        let rows = names.map { id, name in
            "<li id=\"user-\(id)\"><a href=\"/users/\(id)\">\(name)</a></li>\n"
        }
        return """
            <main><p data-live-news role="status"></p>\(rest)
            <ul id="users" data-live tabindex="-1">\n\(rows.joined())</ul></main>
            """
    }

    private static let names = "[...document.querySelectorAll('#users li')].map((row) => row.textContent).join()"

    @Test func `a refresh shows the server's list, and the focus stays on its row`() async throws {
        try await visit { browser, site in
            let search = "<input id=\"search\">"
            let old = PlayedPage(Self.list([(1, "Ann"), (2, "Bob"), (3, "Cid")], rest: search), after: "7")
            try await open("/list?order=name", old, browser, site)
            try await browser.type("wise owl", into: "#search")
            try await browser.execute(
                """
                window.rows = [...document.querySelectorAll('#users li')];
                const field = document.getElementById('search');
                field.setSelectionRange(2, 5);
                rows[1].firstChild.focus();
                window.blurs = 0;
                rows[1].firstChild.addEventListener('blur', () => blurs++);
                """)
            let fresh = [(3, "Cid"), (4, "<b>Dora</b>"), (2, "Bobby"), (1, "Ann")].map { id, name in
                (id, name.replacing("<", with: "&lt;"))
            }
            site.show("/list?order=name", PlayedPage(Self.list(fresh, rest: search), after: "8"))
            let news = #"{"action":"refresh","news":"Dora was added."}"#
            site.publish("/list?order=name", id: "8", news)
            try await browser.waitUntil("\(Self.names) === 'Cid,<b>Dora</b>,Bobby,Ann'")
            #expect(try await browser.text("[data-live-news]") == "Dora was added.")
            #expect(try await browser.execute("return document.activeElement.textContent") == "Bobby")
            #expect(try await browser.execute("return blurs") == 0)
            let same = "return rows[1] === document.getElementById('user-2') && rows[0].isConnected"
            #expect(try await browser.execute(same) == true)
            #expect(try await browser.property("value", of: "#search") == "wise owl")
            #expect(try await browser.property("selectionStart", of: "#search") == 2)
            #expect(try await browser.property("selectionEnd", of: "#search") == 5)
            // When the row with the focus goes, the focus stays in the list.
            site.show("/list?order=name", PlayedPage(Self.list([(1, "Ann")]), after: "9"))
            site.publish("/list?order=name", id: "9", Self.refresh)
            try await browser.waitUntil("\(Self.names) === 'Ann'")
            #expect(try await browser.execute("return document.activeElement.id") == "users")
            #expect(site.count("refresh /list?order=name") == 2)
        }
    }

    @Test(arguments: [("<li>", "</li>"), ("", "")])
    func `a row without an id is found by the address of its link, and a link by its own`(
        begin: String, end: String
    ) async throws {
        func list(_ ids: [Int]) -> String {
            let rows = ids.map { "\(begin)<a href=\"/users/\($0)\">User \($0)</a>\(end)" }
            return "<main><ul id=\"users\" data-live>\n\(rows.joined(separator: "\n"))</ul></main>"
        }
        try await visit { browser, site in
            try await open("/list", PlayedPage(list([1, 2, 3]), after: "7"), browser, site)
            try await browser.execute(
                """
                window.row = document.querySelectorAll('#users > *')[1];
                document.querySelectorAll('#users a')[1].focus();
                """)
            site.show("/list", PlayedPage(list([0, 2, 3, 4]), after: "8"))
            site.publish("/list", id: "8", Self.refresh)
            let names = "[...document.querySelectorAll('#users > *')].map((row) => row.textContent).join()"
            try await browser.waitUntil("\(names) === 'User 0,User 2,User 3,User 4'")
            #expect(try await browser.execute("return row.textContent") == "User 2")
            site.show("/list", PlayedPage(list([2, 3]), after: "9"))
            site.publish("/list", id: "9", Self.refresh)
            try await browser.waitUntil("\(names) === 'User 2,User 3'")
            #expect(try await browser.execute("return row === document.querySelector('#users > *')") == true)
            #expect(try await browser.execute("return document.activeElement.textContent") == "User 2")
        }
    }

    @Test func `what the visitor has typed, chosen, opened and selected stays`() async throws {
        func form(_ note: String, _ value: String, _ error: String = "") -> String {
            """
            <section id="form" data-live>\(error)<p>\(note)</p>
            <details><summary>More</summary><p id="text">Something to select</p></details>
            <p><label for="name">Name</label> <input id="name" name="name" value="\(value)"></p>
            <p><input name="city" value="\(value)"></p>
            <p><textarea name="about">\(value)</textarea></p>
            <p><input type="checkbox" name="a"><input type="checkbox" name="b" checked></p>
            <p><input type="radio" name="r" value="1" checked><input type="radio" name="r" value="2"></p>
            <p><select name="s"><option>x</option><option>y</option><option>\(value)</option></select></p>
            <div id="mine" data-permanent>server \(note)</div></section>
            """
        }
        try await visit { browser, site in
            try await open("/form", PlayedPage(form("one", "old"), after: "1"), browser, site)
            try await browser.type("!", into: "#name")
            try await browser.type("!", into: "textarea")
            try await browser.execute(
                """
                for (const name of ['a', 'b']) document.querySelector(`[name=${name}]`).click();
                document.querySelector('[value="2"]').click();
                document.querySelector('select').value = 'y';
                document.querySelector('details').open = true;
                document.getElementById('mine').textContent = 'mine';
                document.getElementById('name').focus();
                document.getElementById('name').setSelectionRange(1, 3);
                window.blurs = 0;
                document.getElementById('name').addEventListener('blur', () => blurs++);
                """)
            let states = """
                const state = [name.value, name.selectionStart, name.selectionEnd, document.activeElement.id,
                  document.querySelector('textarea').value, document.querySelector('[name=a]').checked,
                  document.querySelector('[name=b]').checked, document.querySelector('[value="2"]').checked,
                  document.querySelector('select').value, document.querySelector('details').open,
                  document.getElementById('mine').textContent, blurs].join();
                """
            let state = "return (() => { const name = document.getElementById('name'); \(states) return state; })()"
            let expected = "old!,1,3,name,old!,true,false,true,y,true,mine,0"
            #expect(try await browser.execute(state).string == expected)
            site.show("/form", PlayedPage(form("two", "new", "<p class=\"error\">No</p><p>Really</p>"), after: "2"))
            site.publish("/form", id: "2", Self.refresh)
            try await browser.waitUntil("document.getElementById('form').textContent.includes('two')")
            #expect(try await browser.execute(state).string == expected)
            #expect(try await browser.count(".error") == 1)
            // What the visitor has not touched is the server's.
            #expect(try await browser.property("value", of: "[name=city]") == "new")
            #expect(try await browser.texts("option").last == "new")
        }
    }

    @Test func `a form that shows mistakes stays as it is, whatever happens beside it`() async throws {
        @Sendable func page(_ note: String, _ attributes: String = "value=\"\"") -> String {
            """
            <main><p id="note">\(note)</p><form method="post" action="/birds" data-live>
            <input id="name" name="name" \(attributes)><button>Add</button></form></main>
            """
        }
        try await visit { browser, site in
            try await open("/birds", PlayedPage(page("one"), after: "1"), browser, site)
            site.on("POST /birds") { _ in
                var answer = PlayedPage(page("one", "value=\"A\" aria-invalid=\"true\""))
                answer.status = .unprocessableContent
                return answer.response
            }
            try await browser.type("A", into: "#name")
            try await browser.click("button")
            try await browser.waitFor("[aria-invalid]")
            site.show("/birds", PlayedPage(page("two"), after: "2"))
            site.publish("/birds", id: "2", Self.refresh)
            try await browser.waitUntil("document.getElementById('note').textContent === 'two'")
            #expect(try await browser.property("value", of: "#name") == "A")
            #expect(try await browser.count("[aria-invalid]") == 1)
        }
    }

    @Test func `what plays goes on, also when it moves`() async throws {
        try await visit { browser, site in
            site.on("GET /silence.wav") { _ in
                var bytes = Array("RIFF".utf8) + [0xA4, 0xE2, 0x04, 0] + Array("WAVEfmt ".utf8)
                bytes += [16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0]
                bytes += Array("data".utf8) + [0x80, 0xE2, 0x04, 0] + [UInt8](repeating: 128, count: 320_128)
                return Response(.ok, headers: [.contentType: "audio/wav"], body: Body(bytes))
            }
            let audio = "<audio id=\"song\" src=\"/silence.wav\" muted></audio>"
            let first = "<button>Play</button><div id=\"list\" data-live>\(audio)<p>one</p><p>two</p></div>"
            try await open("/song", PlayedPage(first, after: "1"), browser, site)
            // Browsers let a page play only after a click.
            let song = "document.getElementById('song')"
            try await browser.execute("document.querySelector('button').onclick = () => \(song).play()")
            try await browser.click("button")
            try await eventually(browser, "\(song).currentTime > 0")
            let second = "<div id=\"list\" data-live><p>one</p><p>three</p>\(audio)</div>"
            site.show("/song", PlayedPage(second, after: "2"))
            site.publish("/song", id: "2", Self.refresh)
            try await browser.waitUntil("document.body.textContent.includes('three')")
            #expect(try await browser.execute("return document.getElementById('list').lastChild.id") == "song")
            #expect(try await browser.property("paused", of: "#song") == false)
            let time = try await browser.property("currentTime", of: "#song")
            try await eventually(browser) { try await browser.property("currentTime", of: "#song") != time }
        }
    }

    @Test func `a page without regions is refreshed in its main part`() async throws {
        try await visit { browser, site in
            try await open("/", PlayedPage("<p id=\"out\">1</p><main><h1>One</h1></main>", after: "1"), browser, site)
            site.show("/", PlayedPage("<p id=\"out\">2</p><main><h1>Two</h1></main>", after: "2", title: "Second"))
            site.publish("/", id: "2", Self.refresh)
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Two'")
            #expect(try await browser.text("#out") == "1")
            #expect(try await browser.title == "Second")
            // Nor is a page broken that has nothing to refresh.
            site.show("/", PlayedPage("", after: "3"))
            site.publish("/", id: "3", Self.refresh)
            try await eventually(browser) { site.count("refresh /") == 2 }
            #expect(try await browser.text("h1") == "Two")
        }
    }

    @Test func `many events are one request, and one sentence`() async throws {
        try await visit { browser, site in
            site.on("refresh /list") { _ in PlayedPage(Self.list([(1, "Zoe")]), after: "20").response }
            // All of them come at once, when the stream begins.
            for id in 1...20 { site.publish("/list", id: "\(id)", #"{"action":"refresh","news":"Again."}"#) }
            try await open("/list", PlayedPage(Self.list([(1, "Ann")]), after: "0"), browser, site)
            try await browser.waitUntil("document.querySelector('[data-live-news]').textContent === '20 changes.'")
            #expect(try await browser.text("#users") == "Zoe")
            #expect(site.count("refresh /list") == 1)
        }
    }

    @Test func `a refresh that fails is tried again, and the news are kept`() async throws {
        try await visit { browser, site in
            try await open("/list", PlayedPage(Self.list([(1, "Ann")]), after: "1"), browser, site)
            site.on("refresh /list") { _ in .html("<h1>Broken</h1>", status: .internalServerError) }
            site.publish("/list", id: "2", #"{"action":"refresh","news":"Ann is Zoe."}"#)
            try await eventually(browser) { site.count("refresh /list") == 1 }
            site.on("refresh /list") { _ in PlayedPage(Self.list([(1, "Zoe")]), after: "2").response }
            try await browser.waitUntil("document.querySelector('[data-live-news]').textContent === 'Ann is Zoe.'")
            #expect(try await browser.text("#users") == "Zoe")
        }
    }

    @Test(arguments: [HTTPResponse.Status.unauthorized, .forbidden, .notFound, .gone, .seeOther, .ok])
    func `a page that is no longer there is loaded once, not in a circle`(status: HTTPResponse.Status) async throws {
        try await visit { browser, site in
            site.show("/other", PlayedPage("<h1>Other</h1>"))
            site.on("refresh /list") { _ in
                switch status {
                case .seeOther: .redirect(to: "/other")
                case .ok: PlayedPage("<main>No list</main>", after: "2").response
                default: .html("<h1>Not for you</h1>", status: status)
                }
            }
            let page = PlayedPage(Self.list([(1, "Ann")]), after: "1")
            try await open("/list", page, browser, site)
            try await browser.waitForNewPage { site.publish("/list", id: "2", Self.refresh) }
            #expect(site.count("GET /list") == 2)
            // The server goes on to say so: the new page follows from 1, and is told again.
            try await eventually(browser) { site.count("refresh /list") >= 2 }
            try await browser.execute("window.stays = true")
            site.publish("/list", id: "3", Self.refresh)
            try await eventually(browser) { site.count("refresh /list") >= 3 }
            #expect(try await browser.execute("return stays") == true)
            #expect(site.count("GET /list") == 2)
        }
    }

    @Test func `a page that was loaded again is loaded once more after a minute`() async throws {
        try await visit { browser, site in
            // The minute ends when the test says so.
            let script = """
                const wait = setTimeout;
                window.setTimeout = (work, ...rest) => {
                  if (work.name !== 'reload') return wait(work, ...rest);
                  window.endMinute = () => { sessionStorage.clear(); work(rest[1]); };
                };
                """
            try await browser.session.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
            site.on("refresh /list") { _ in .html("<h1>Not for you</h1>", status: .forbidden) }
            try await open("/list", PlayedPage(Self.list([(1, "Ann")]), after: "1"), browser, site)
            try await browser.waitForNewPage { site.publish("/list", id: "2", Self.refresh) }
            try await eventually(browser, "window.endMinute !== undefined")
            #expect(site.count("GET /list") == 2)
            try await browser.waitForNewPage { try await browser.execute("endMinute()") }
            #expect(site.count("GET /list") == 3)
        }
    }

    @Test func `a page that may not follow is fetched once`() async throws {
        try await visit { browser, site in
            try await open("/list", PlayedPage(Self.list([(1, "Ann")]), after: "1"), browser, site)
            site.show("/list", PlayedPage(Self.list([(1, "Zoe")]), after: "5"))
            site.publish("/list", id: nil, #"{"action":"gone"}"#)
            try await browser.waitUntil("document.getElementById('users').textContent.includes('Zoe')")
            try await eventually(browser) { site.streams == 0 }
            #expect(site.opened.count == 1)
            #expect(site.count("refresh /list") == 1)
        }
    }
}
