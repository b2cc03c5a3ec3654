import Roost
import Testing

/// The script of live pages in a real browser, with a server that plays the other part by hand.
@Suite("The script of live pages", .needsBrowser, .serialized, .timeLimit(.minutes(5)))
struct LiveScriptBrowserTests {
    /// Runs a test with a site whose pages may be set before one is opened. Nothing may have gone wrong in the
    /// browser at its end, except for requests.
    func visit(
        javaScript: Bool = true, _ body: (Browser, LiveSite) async throws -> Void
    ) async throws {
        let site = try await LiveSite.start()
        try await Browser.run(javaScript: javaScript) { browser in
            try await body(browser, site)
            #expect(try await browser.errors().filter { $0.source != "network" } == [])
            try await browser.open("about:blank")
        }
        try await site.stop()
    }

    /// Opens a page and waits until it follows what is published.
    func open(_ path: String, _ page: PlayedPage, _ browser: Browser, _ site: LiveSite) async throws {
        site.show(path, page)
        try await browser.open(site.url + path)
        try await eventually(browser) { site.followed.contains(path) }
    }

    /// Waits until something is true, asking the browser for its pace.
    func eventually(_ browser: Browser, _ condition: () async throws -> Bool) async throws {
        while try await !condition() {
            try Task.checkCancellation()
            try await browser.execute("return 0")
        }
    }

    func eventually(_ browser: Browser, _ expression: String) async throws {
        try await eventually(browser) { try await browser.execute("return \(expression)") == true }
    }

    /// An event with a fragment for a target.
    func event(_ action: String, _ target: String, _ html: String, news: String? = nil) throws -> String {
        var members: [String: JSONValue] = [
            "action": .string(action), "target": .string(target), "html": .string(html),
        ]
        if let news { members["news"] = .string(news) }
        return String(decoding: try JSONCoder().encode(JSONValue.object(members)), as: UTF8.self)
    }

    static let refresh = #"{"action":"refresh"}"#
}
