import Processes
import Testing

/// The chat of docs/websockets.md in open windows.
extension SiteBrowserTests {
    /// Its program, in the folder with its pages.
    private func startChat(port: Int) async throws -> GuardedProcess {
        let script = "cd \"$1\" && exec env PORT=$2 \"$3\" 2>&1"
        let program = SiteProcess.products + "/Chat"
        let chat = try GuardedProcess(["sh", "-c", script, "sh", Site.root + "/Tests/Chat", "\(port)", program])
        _ = try await chat.output(upTo: "answers at")
        return chat
    }

    private static let lines = "[...document.querySelectorAll('#log li')].map(line => line.textContent).join('|')"

    @Test func `two windows chat, and come back after a restart`() async throws {
        let port = try FreePort.next()
        let chat = try await startChat(port: port)
        let url = "http://127.0.0.1:\(port)/chat"
        try await Browser.run { browser in
            try await browser.open(url)
            try await browser.type("7", into: "[name=name]")
            try await browser.follow("button")
            #expect(try await browser.text("[role=alert]") == "A name has a letter, and at most 30 characters.")
            try await browser.clear("[name=name]")
            try await browser.type("Ada <b>", into: "[name=name]")
            try await browser.follow("button")
            #expect(try await browser.text("h1") == "You are Ada <b>")
            try await browser.waitUntil("\(Self.lines) === 'Ada <b> has joined.'")
            let (first, second) = try await browser.openWindow()
            try await browser.open(url + "?name=Bob")
            try await browser.waitUntil("\(Self.lines).endsWith('|Bob has joined.')")
            try await browser.type("<i>Tu-whit</i>", into: "[name=text]")
            try await browser.click("button")
            try await browser.use(first)
            try await browser.waitUntil("\(Self.lines).endsWith('|Bob: <i>Tu-whit</i>')")
            #expect(try await browser.count("#log i") == 0)
            // The page with 422, and the icon that there is none of, are no errors of the page's.
            #expect(try await browser.errors().filter { $0.source != "network" } == [])
            // The server goes away, and another comes, which knows nothing of what was said.
            try await chat.stop()
            try await browser.waitUntil("document.getElementById('note').textContent.startsWith('The connection')")
            let other = try await startChat(port: port)
            // Each window tries again when it likes; both are back before anything is said.
            try await browser.use(second)
            try await browser.waitUntil("\(Self.lines).split('Tu-whit').pop().includes('Bob has joined.')")
            try await browser.use(first)
            try await browser.waitUntil("document.getElementById('note').textContent === ''")
            try await browser.type("Tu-whoo", into: "[name=text]")
            try await browser.click("button")
            try await browser.use(second)
            try await browser.waitUntil("\(Self.lines).endsWith('|Ada <b>: Tu-whoo')")
            try await other.stop()
        }
    }

    @Test(arguments: [Browser.Viewport.smallPhone, .desktop])
    func `the chat fits, with a word that is longer than the screen`(_ viewport: Browser.Viewport) async throws {
        let port = try FreePort.next()
        let chat = try await startChat(port: port)
        try await Browser.run(viewport) { browser in
            try await browser.open("http://127.0.0.1:\(port)/chat?name=Ada")
            try await browser.waitUntil("\(Self.lines) === 'Ada has joined.'")
            try await browser.type(String(repeating: "hu", count: 200), into: "[name=text]")
            try await browser.click("button")
            try await browser.waitUntil("\(Self.lines).endsWith('hu')")
            let width = "return document.documentElement.scrollWidth <= innerWidth"
            #expect(try await browser.execute(width) == true)
        }
        try await chat.stop()
    }
}
