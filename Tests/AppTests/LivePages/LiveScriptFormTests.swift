import FoundationEssentials
import HTTPTypes
import Roost
import Testing

/// Forms with `data-live`.
extension LiveScriptBrowserTests {
    private static func form(_ attributes: String = "", value: String = "", wrong: Bool = false) -> String {
        """
        <main><h1>New</h1><p data-live-news></p><form method="post" action="/users" data-live \(attributes)>
        <input id="name" name="name" value="\(value)" \(wrong ? "aria-invalid=\"true\"" : "")>
        <input id="other" name="other"><input id="file" type="file" name="file">
        <textarea id="about" name="about">\n</textarea><progress hidden></progress>
        <p role="alert" data-failed hidden>Not sent.</p>
        <button type="submit" name="way" value="save">Save</button>
        <button type="submit" id="draft" name="way" value="draft" formaction="/drafts">Draft</button>
        </form></main>
        """
    }

    private func mark(_ browser: Browser) async throws { try await browser.execute("window.stays = true") }

    @Test func `the redirect is followed, and put into the history`() async throws {
        try await visit { browser, site in
            site.show("/users/new", PlayedPage(Self.form(), title: "New"))
            site.show("/users/3", PlayedPage("<main><h1>Ann</h1></main>", after: "4", title: "Ann"))
            site.on("POST /users") { request in
                let text = try request.body.text
                #expect(text == "name=A%26nn&other=&file=&about=a%0D%0Ab&way=save")
                #expect(request.headers[.accept] == "text/html")
                return .redirect(to: "/users/3")
            }
            try await browser.open(site.url + "/users/new")
            try await mark(browser)
            try await browser.type("A&nn", into: "#name")
            try await browser.type("a\nb", into: "#about")
            try await browser.click("button")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Ann'")
            #expect(try await browser.url == site.url + "/users/3")
            #expect(try await browser.title == "Ann")
            #expect(try await browser.execute("return document.activeElement.nodeName") == "MAIN")
            try await eventually(browser) { site.followed == ["/users/3"] }
            try await browser.session.post("back")
            try await browser.waitFor("#name")
            #expect(try await browser.url == site.url + "/users/new")
            #expect(try await browser.property("value", of: "#name") == "")
            try await eventually(browser) { site.streams == 0 }
            #expect(try await browser.execute("return stays") == true)
            #expect(site.count("POST /users") == 1)
        }
    }

    @Test func `the button that was pressed says what is sent, and where`() async throws {
        try await visit { browser, site in
            site.show("/users/new", PlayedPage(Self.form()))
            site.on("POST /drafts") { request in
                let text = try request.body.text
                #expect(text.hasSuffix("&way=draft"))
                return .redirect(to: "/users/new")
            }
            try await browser.open(site.url + "/users/new")
            try await mark(browser)
            try await browser.type("typed", into: "#name")
            try await browser.click("#draft")
            try await eventually(browser) { try await browser.property("value", of: "#name") == "" }
            // The same page again: it is not another one in the history, and the focus stays.
            #expect(try await browser.execute("return stays && document.activeElement.id") == "draft")
            #expect(try await browser.execute("return history.length") == 2)
        }
    }

    @Test func `mistakes are shown with the focus in the first wrong field, and the chosen file stays`() async throws {
        try await visit { browser, site in
            site.show("/users/new", PlayedPage(Self.form("enctype=\"multipart/form-data\"")))
            site.on("POST /users") { request in
                let text = try request.body.text
                #expect(text.contains("filename=\"owl.txt\""))
                let form = Self.form("enctype=\"multipart/form-data\"", value: "A", wrong: true)
                var page = PlayedPage(form, title: "No")
                page.status = .unprocessableContent
                return page.response
            }
            try await browser.open(site.url + "/users/new")
            try await mark(browser)
            try await choose(browser, size: 3)
            try await browser.click("button")
            try await browser.waitUntil("document.querySelector('[aria-invalid]')")
            #expect(try await browser.execute("return document.activeElement.id") == "name")
            #expect(try await browser.property("value", of: "#name") == "A")
            #expect(try await browser.execute("return file.files[0]?.name") == "owl.txt")
            #expect(try await browser.title == "No")
            #expect(try await browser.url == site.url + "/users/new")
            // It can be sent again at once.
            try await browser.click("button")
            try await eventually(browser) { site.count("POST /users") == 2 }
            #expect(try await browser.execute("return stays") == true)
        }
    }

    @Test func `a modal dialog stays open for its form's mistakes, and is closed when the form is done`() async throws {
        func page(_ attributes: String = "") -> PlayedPage {
            PlayedPage(
                """
                <main><button id="ask">Ask</button>
                <dialog><form method="post" action="/users" data-live><input name="name" \(attributes)>
                <button id="send">Send</button></form></dialog></main>
                """)
        }
        try await visit { browser, site in
            site.show("/new", page())
            var refused = page("aria-invalid=\"true\"")
            refused.status = .unprocessableContent
            let mistake = refused
            site.on("POST /users") { _ in mistake.response }
            try await browser.open(site.url + "/new")
            try await browser.execute("document.querySelector('dialog').showModal()")
            try await browser.click("#send")
            try await browser.waitUntil("document.querySelector('[aria-invalid]')")
            #expect(try await browser.count("dialog:modal") == 1)
            site.on("POST /users") { _ in .redirect(to: "/new") }
            try await browser.click("#send")
            try await browser.waitUntil("!document.querySelector('dialog').open")
            #expect(try await browser.count("dialog:modal") == 0)
            // The rest of the page takes clicks again.
            try await browser.execute("document.getElementById('ask').onclick = () => { window.isAsked = true; }")
            try await browser.click("#ask")
            try await eventually(browser, "window.isAsked")
        }
    }

    @Test(arguments: ["#", "/new"])
    func `a mistake in the form as a whole is brought into view`(action: String) async throws {
        func page(_ error: String = "") -> PlayedPage {
            PlayedPage(
                """
                <form method="post" action="\(action)" data-live><textarea name="about" rows="200"></textarea>
                \(error)<button>Send</button></form>
                """)
        }
        try await visit { browser, site in
            site.show("/new", page())
            var refused = page("<p id=\"error\" role=\"alert\" tabindex=\"-1\" autofocus>Too late.</p>")
            refused.status = .conflict
            let mistake = refused
            site.on("POST /new") { _ in mistake.response }
            try await browser.open(site.url + "/new")
            try await browser.click("button")
            try await browser.waitUntil("document.getElementById('error')")
            #expect(try await browser.execute("return document.activeElement.id") == "error")
            let isSeen = """
                const { top, bottom } = document.getElementById('error').getBoundingClientRect();
                return top >= 0 && bottom <= innerHeight;
                """
            #expect(try await browser.execute(isSeen) == true)
        }
    }

    private func choose(_ browser: Browser, size: Int) async throws {
        try await browser.execute(
            """
            const chosen = new DataTransfer();
            chosen.items.add(new File([new Uint8Array(arguments[0])], 'owl.txt'));
            document.getElementById('file').files = chosen.files;
            """, .number(Double(size)))
    }

    @Test func `an upload shows its progress`() async throws {
        try await visit { browser, site in
            site.show("/users/new", PlayedPage(Self.form("enctype=\"multipart/form-data\"")))
            site.show("/done", PlayedPage("<h1>Done</h1>"))
            site.on("POST /users") { request in
                #expect(request.body.count ?? 0 > 900_000)
                return .redirect(to: "/done")
            }
            try await browser.open(site.url + "/users/new")
            try await choose(browser, size: 900_000)
            try await browser.execute(
                """
                const bar = document.querySelector('progress');
                window.states = [];
                new MutationObserver(() => states.push([bar.hidden, bar.value === bar.max, bar.max > 900000].join()))
                  .observe(bar, { attributes: true });
                """)
            try await browser.click("button")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Done'")
            #expect(try await browser.execute("return states.includes('false,true,true')") == true)
            #expect(try await browser.execute("return states.at(-1).startsWith('true')") == true)
        }
    }

    @Test func `a form is sent once, and its button says so`() async throws {
        try await visit { browser, site in
            site.show("/users/new", PlayedPage(Self.form("data-busy=\"Saving…\"")))
            site.on("POST /users") { _ in .redirect(to: "/users/new") }
            try await browser.open(site.url + "/users/new")
            try await browser.execute(
                """
                const button = document.querySelector('button');
                window.states = [];
                new MutationObserver(() => states.push(button.textContent + button.getAttribute('aria-busy')))
                  .observe(button, { attributes: true, childList: true });
                button.click();
                button.click();
                """)
            try await eventually(browser, "states.includes('Savenull')")
            #expect(try await browser.execute("return states[0]") == "Saving…true")
            try await browser.execute("document.querySelector('button').click()")
            try await eventually(browser) { site.count("POST /users") == 2 }
        }
    }

    @Test func `a form that does not reach the server stays as it was`() async throws {
        try await visit { browser, site in
            site.show("/users/new", PlayedPage(Self.form()))
            site.show("/done", PlayedPage("<h1>Done</h1>"))
            site.on("POST /users") { _ in .redirect(to: "/done") }
            try await browser.open(site.url + "/users/new")
            try await browser.type("typed", into: "#name")
            try await setOffline(browser, true)
            try await browser.click("button")
            try await browser.waitUntil("document.querySelector('[data-failed]').checkVisibility()")
            #expect(try await browser.count("[aria-busy]") == 0)
            #expect(try await browser.property("value", of: "#name") == "typed")
            try await setOffline(browser, false)
            try await browser.execute(
                """
                const notice = document.querySelector('[data-failed]');
                new MutationObserver(() => { window.wasHidden = notice.hidden; }).observe(notice, { attributes: true });
                """)
            try await browser.click("button")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Done'")
            #expect(try await browser.execute("return wasHidden") == true)
            #expect(site.count("POST /users") == 1)
        }
    }

    @Test func `a proxy's page does not take the place of a form`() async throws {
        try await visit { browser, site in
            site.show("/users/new", PlayedPage(Self.form()))
            site.on("POST /users") { _ in .html("<html><body><h1>502</h1></body></html>", status: .badGateway) }
            try await browser.open(site.url + "/users/new")
            try await browser.type("typed", into: "#name")
            try await browser.click("button")
            try await browser.waitUntil("document.querySelector('[data-failed]')?.checkVisibility()")
            #expect(try await browser.property("value", of: "#name") == "typed")
            // A page of the site is shown, whatever its status.
            var later = PlayedPage("<h1>Later</h1>")
            later.status = .serviceUnavailable
            let page = later
            site.on("POST /users") { _ in page.response }
            try await browser.click("button")
            try await browser.waitUntil("document.querySelector('h1').textContent === 'Later'")
            // So is an error that no proxy makes, with or without the script.
            try await browser.open(site.url + "/users/new")
            site.on("POST /users") { _ in .html("<html><body><h1>500</h1></body></html>", status: .internalServerError)
            }
            try await browser.click("button")
            try await browser.waitUntil("document.querySelector('h1').textContent === '500'")
        }
    }

    private func setOffline(_ browser: Browser, _ isOffline: Bool) async throws {
        let conditions: JSONValue = [
            "offline": .bool(isOffline), "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
        ]
        try await browser.session.devTools("Network.enable")
        try await browser.session.devTools("Network.emulateNetworkConditions", conditions)
    }

    @Test func `a search is a page of its own`() async throws {
        try await visit { browser, site in
            let form = "<form action=\"/find?old=1\" data-live><input id=\"q\" name=\"q\"></form>"
            site.show("/find", PlayedPage(form))
            site.show("/find?q=a+b%26", PlayedPage(form + "<h1>Found</h1>"))
            try await browser.open(site.url + "/find")
            try await mark(browser)
            try await browser.type("a b&", into: "#q")
            try await browser.press(.enter)
            try await browser.waitFor("h1")
            #expect(try await browser.url == site.url + "/find?q=a+b%26")
            #expect(try await browser.execute("return stays") == true)
        }
    }

    @Test func `without JavaScript it is an ordinary form`() async throws {
        try await visit(javaScript: false) { browser, site in
            site.show("/users/new", PlayedPage(Self.form()))
            site.show("/users/3", PlayedPage("<h1>Ann</h1><a data-live href=\"/users/new\">New</a>", after: "4"))
            site.on("POST /users") { _ in .redirect(to: "/users/3") }
            try await browser.open(site.url + "/users/new")
            try await browser.type("Ann", into: "#name")
            try await browser.follow("button")
            #expect(try await browser.url == site.url + "/users/3")
            try await browser.follow("a")
            #expect(try await browser.url == site.url + "/users/new")
            #expect(site.streams == 0)
        }
    }
}
