import RoostTesting
import Testing

@testable import Roost

@Suite("A list of middleware without protection from other sites", .timeLimit(.minutes(5)))
struct ProtectionWarningTests {
    private static func warnings(
        _ middleware: [any Middleware]?, inGroup group: [any Middleware] = []
    ) throws -> [String] {
        try Application(
            configuration: ServerConfiguration(), logger: LogLines().logger, middleware: middleware
        ) { routes in
            routes.group(Path("/names"), middleware: group) { $0.post(Path("/new")) { _ in "made" } }
        }.warnings
    }

    @Test func `a start warns of a list that replaces the standard one`() throws {
        let warnings = try Self.warnings([RequestIDs()])
        #expect(warnings.count == 1 && warnings[0].hasPrefix("The list of middleware has no CrossOriginProtection"))
        #expect(warnings.first?.contains("Application.standardMiddleware() + […]") == true, "\(warnings)")
    }

    @Test func `a list with the protection is fine, and so are none and an empty one`() throws {
        #expect(try Self.warnings(nil) == [])
        #expect(try Self.warnings([]) == [])
        #expect(try Self.warnings(Application.standardMiddleware() + [RequestIDs()]) == [])
        #expect(try Self.warnings([CrossOriginProtection()]) == [])
        #expect(try Self.warnings([RequestIDs()], inGroup: [CrossOriginProtection()]) == [])
    }
}
