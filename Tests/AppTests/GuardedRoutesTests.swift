import Logging
import Roost
import RoostSQL
import Testing

@testable import App

@Suite("Guards in the list of routes", .timeLimit(.minutes(5)))
struct GuardedRoutesTests {
    @Test func `one with a condition is told from the others`() throws {
        var settings = try Settings([:])
        settings.root = Site.root
        settings.database = .sqlite(path: ":memory:")
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let routes = try makeApp(settings, logger: logger).routes
        let account = try #require(routes.first { $0.path == "/account" && $0.method == .get })
        #expect(account.middleware.last == "RequireUser(where: …)")
        let deletion = try #require(routes.first { $0.path.hasSuffix("/delete") && $0.method == .post })
        #expect(deletion.middleware.last == "RequireUser")
    }
}
