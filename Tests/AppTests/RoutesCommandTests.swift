import Logging
import Roost
import RoostSQL
import Testing

@testable import App
@testable import RoostCommands

@Suite("App routes", .timeLimit(.minutes(5)))
struct RoutesCommandTests {
    @Test func `lists every route with its place and its group's middleware`() throws {
        var settings = try Settings([:])
        settings.root = Site.root
        settings.database = .sqlite(path: ":memory:")
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let lines = TextTable(routes: try makeApp(settings, logger: logger).routes).text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("GET ") && $0.contains(" /users/{id} ") })
        #expect(lines.contains { $0.hasPrefix("POST ") && $0.contains("/delete ") && $0.hasSuffix("RequireUser") })
        #expect(
            lines.allSatisfy { line in
                [" App/", " Pattern", " RoostMail/", " Roost/Routes+Description", " Roost/LivePages"].contains {
                    line.contains($0)
                }
                    && line.contains(".swift:")
            })
    }
}
