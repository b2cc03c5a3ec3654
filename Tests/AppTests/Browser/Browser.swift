import FoundationEssentials
import Glibc
import Processes
import Synchronization

/// A headless Chromium that a test drives as a person would: open, look, type, click.
///
/// ```swift
/// try await Browser.run { browser in
///     try await browser.open("http://127.0.0.1:3000/users")
///     #expect(try await browser.text("h1") == "User List")
/// }
/// ```
///
/// Nothing sleeps. ``open(_:)`` and ``follow(_:)`` return when the page that they lead to has loaded; anything that
/// looks for an element waits up to a minute for it. To check that an element is *not* there, use ``count(_:)``.
final class Browser: Sendable {
    let session: WebDriverSession
    private let driver: GuardedProcess

    private init(session: WebDriverSession, driver: GuardedProcess) {
        self.session = session
        self.driver = driver
    }

    /// Whether `chromedriver` and a Chromium are on the `PATH`; a suite without them is skipped.
    static let isInstalled = isOnPath(["chromedriver"]) && isOnPath(["chromium", "chromium-browser", "google-chrome"])

    // A browser takes seconds to start, but a tab hardly any time. They end with the test process.
    private static let idle = Mutex<[Browser]>([])

    /// Calls `body` with a browser that has an empty tab, no cookies and an empty console, and that no other test uses
    /// meanwhile.
    ///
    /// A browser stays for the next test, so there are as many as tests that used one at the same time. Browsers take
    /// much memory: put tests with one into few suites, each of them serialized.
    static func run<Value: Sendable>(
        _ viewport: Viewport = .desktop,
        _ scheme: ColorScheme = .light,
        javaScript: Bool = true,
        _ body: (Browser) async throws -> Value
    ) async throws -> Value {
        let browser = if let one = idle.withLock({ $0.popLast() }) { one } else { try await start() }
        defer { idle.withLock { $0.append(browser) } }
        try await browser.openEmptyTab()
        try await browser.setViewport(viewport)
        try await browser.setColorScheme(scheme)
        if !javaScript { try await browser.setJavaScript(enabled: false) }
        return try await body(browser)
    }

    /// Opens a tab that shares nothing with the others, and closes them.
    private func openEmptyTab() async throws {
        let old = try await session.get("window/handles").elements
        let new = try await session.post("window/new", ["type": "tab"])["handle"]
        for handle in old {
            try await session.post("window", ["handle": handle])
            try await session.delete("window")
        }
        try await session.post("window", ["handle": new])
        try await session.devTools("Network.clearBrowserCookies")
        _ = try await log()
    }

    /// Starts a driver and a browser with an empty profile, which end with the object.
    private static func start() async throws -> Browser {
        let port = try FreePort.next()
        let driver = try GuardedProcess(["chromedriver", "--port=\(port)"])
        _ = try await driver.output(upTo: "started successfully")
        let session = try await WebDriverSession.create(port: port, capabilities: capabilities)
        return Browser(session: session, driver: driver)
    }

    private static var capabilities: JSONValue {
        [
            "timeouts": ["implicit": 60_000, "pageLoad": 300_000, "script": 60_000],
            "goog:loggingPrefs": ["browser": "ALL"],
            "goog:chromeOptions": ["args": .array(arguments.map { .string($0) })],
        ]
    }

    private static var arguments: [String] {
        var arguments = [
            "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en-US",
            "--disable-extensions", "--disable-background-networking", "--disable-component-update",
            // A page under test that requests another host gets an error, on every machine.
            "--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        ]
        // Chromium refuses to run its sandbox as root, and containers run as root.
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        return arguments
    }

    private static func isOnPath(_ names: [String]) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains { folder in
            names.contains { access("\(folder)/\($0)", X_OK) == 0 }
        }
    }
}
