import FoundationEssentials
import Glibc
import Processes

/// A headless Chromium that a test drives as a person would: open, look, type, click.
///
/// ```swift
/// try await Browser.run { browser in
///     try await browser.open("http://127.0.0.1:3000/users")
///     #expect(try await browser.text("h1") == "User List")
/// }
/// ```
///
/// Nothing sleeps. ``open(_:)`` and ``follow(_:)`` return when the page that they lead to has loaded; whatever looks
/// for an element waits up to five seconds for it to come. What may *not* be there is asked for with ``count(_:)``.
final class Browser: Sendable {
    let session: WebDriverSession
    private let driver: GuardedProcess

    private init(session: WebDriverSession, driver: GuardedProcess) {
        self.session = session
        self.driver = driver
    }

    /// Whether `chromedriver` and a Chromium are on the `PATH`; a suite without them is skipped.
    static let isInstalled = isOnPath(["chromedriver"]) && isOnPath(["chromium", "chromium-browser", "google-chrome"])

    /// Starts a browser, calls `body` and ends the browser, also when `body` throws.
    static func run<Value: Sendable>(
        _ viewport: Viewport = .desktop,
        _ scheme: ColorScheme = .light,
        javaScript: Bool = true,
        _ body: (Browser) async throws -> Value
    ) async throws -> Value {
        let browser = try await start(viewport, scheme, javaScript: javaScript)
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body(browser))
        } catch {
            outcome = .failure(error)
        }
        try await browser.stop()
        return try outcome.get()
    }

    /// Starts a driver and a browser with an empty profile; ``stop()`` ends them, and so does the end of the object.
    static func start(
        _ viewport: Viewport = .desktop,
        _ scheme: ColorScheme = .light,
        javaScript: Bool = true
    ) async throws -> Browser {
        let port = try FreePort.next()
        let driver = try GuardedProcess(["chromedriver", "--port=\(port)"])
        _ = try await driver.output(upTo: "started successfully")
        let session = try await WebDriverSession.create(port: port, capabilities: capabilities)
        let browser = Browser(session: session, driver: driver)
        try await browser.setViewport(viewport)
        try await browser.setColorScheme(scheme)
        if !javaScript { try await browser.setJavaScript(enabled: false) }
        return browser
    }

    /// Ends browser and driver, and returns when both are gone.
    func stop() async throws {
        // Chromium tidies up when it is asked to; the driver's end takes it along in any case.
        try? await session.end()
        try await driver.stop()
    }

    private static var capabilities: JSONValue {
        [
            "timeouts": ["implicit": 5_000, "pageLoad": 30_000, "script": 10_000],
            "goog:loggingPrefs": ["browser": "ALL"],
            "goog:chromeOptions": ["args": .array(arguments.map { .string($0) })],
        ]
    }

    private static var arguments: [String] {
        var arguments = [
            "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en-US",
            "--disable-extensions", "--disable-background-networking", "--disable-component-update",
            // A page under test that reaches for another host gets an error, on every machine alike.
            "--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        ]
        // Chromium refuses to run its sandbox as root, which is who runs in a container.
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
