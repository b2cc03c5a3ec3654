import FoundationEssentials
import Glibc

extension Browser {
    /// Loads a page and returns when it has loaded, whatever its status.
    func open(_ url: String) async throws {
        try await session.post("url", ["url": .string(url)])
    }

    func reload() async throws {
        try await waitForNewPage { try await session.post("refresh") }
    }

    func goBack() async throws {
        try await waitForNewPage { try await session.post("back") }
    }

    /// Does something that leads to another page, and returns when that has loaded.
    ///
    /// The driver waits for a page only once it knows of it, and Chromium sends a form a moment after the click. So
    /// this marks the old page and asks until the mark is gone; from then on the driver waits by itself. The script of
    /// live pages removes the mark, too, when it makes the old page into another one.
    func waitForNewPage(after action: () async throws -> Void) async throws {
        // A new mark for each call: the page that `goBack` brings back still has its old one.
        let mark = JSONValue.number(.random(in: 0..<1))
        try await execute("document.body.setAttribute('data-mark', arguments[0])", mark)
        try await action()
        let current = "return Number(document.body?.getAttribute('data-mark'))"
        while try await execute(current) == mark { try Task.checkCancellation() }
    }

    /// The address of the page, after redirects.
    var url: String {
        get async throws { try await session.get("url").string ?? "" }
    }

    var title: String {
        get async throws { try await session.get("title").string ?? "" }
    }

    /// A script that returns by how many pixels the page is wider than its window.
    static let overflow = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"

    /// Runs the body of a function in the page and returns its result; `arguments[0]` is the first argument.
    @discardableResult
    func execute(_ script: String, _ arguments: JSONValue...) async throws -> JSONValue {
        try await session.post("execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// Returns when `expression` is true in the page, checking again after each change of the document, for a minute.
    ///
    /// It works without timers, so that it sees each state of the page after the page's own scripts have run. Where
    /// another page is loaded meanwhile, the driver ends the wait at once ("script timeout"): it goes on in that page.
    func waitUntil(_ expression: String) async throws {
        let script = """
            const done = arguments[0], holds = () => (\(expression));
            if (holds()) return done();
            const watcher = new MutationObserver(() => { if (holds()) { watcher.disconnect(); done(); } });
            watcher.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
            """
        for isLast in [false, false, true] {
            do {
                try await session.post("execute/async", ["script": .string(script), "args": []])
                return
            } catch let error as WebDriverError where error.code == "script timeout" && !isLast {}
        }
    }

    /// Writes a PNG of the page, all of it or what the window shows.
    func screenshot(to path: String, fullPage: Bool = true) async throws {
        var parameters: [String: JSONValue] = ["format": "png"]
        if fullPage {
            let size = try await session.devTools("Page.getLayoutMetrics")["cssContentSize"]
            let clip: JSONValue = ["x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1]
            parameters["clip"] = clip
            parameters["captureBeyondViewport"] = true
        }
        let picture = try await session.devTools("Page.captureScreenshot", .object(parameters))["data"].string
        guard let data = picture.flatMap({ Data(base64Encoded: $0) }) else {
            throw WebDriverError(code: "no screenshot", message: "the picture is not Base64")
        }
        try data.write(to: URL(filePath: path))
    }

    /// Keeps a picture for a person to look at, in the folder that `SCREENSHOTS` names.
    func keepPicture(_ name: String) async throws {
        guard let folder = getenv("SCREENSHOTS") else { return }
        let file = name.map { $0.isLetter || $0.isNumber || $0 == "-" ? String($0) : "_" }.joined()
        try await screenshot(to: String(cString: folder) + "/" + file + ".png")
    }

    /// The console's lines since the last call.
    func log() async throws -> [LogEntry] {
        try await session.post("se/log", ["type": "browser"]).elements.map { entry in
            LogEntry(
                level: entry["level"].string ?? "",
                source: entry["source"].string ?? "",
                message: entry["message"].string ?? ""
            )
        }
    }

    /// The errors among ``log()``, of which a good page has none: failed requests, refused scripts, exceptions.
    ///
    /// Chromium also counts a page whose own status is 4xx or 5xx among them (source `network`).
    func errors() async throws -> [LogEntry] {
        try await log().filter { $0.level == "SEVERE" }
    }
}
