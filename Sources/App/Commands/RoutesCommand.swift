import ArgumentParser
import Logging
import Roost

/// `App routes`: lists the routes of the site.
struct RoutesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "List the routes: method, path, where each is declared, and its group's middleware."
    )

    @Flag(help: "Print an array of objects with method, path, source and middleware.") var json = false

    private struct Row: Encodable {
        let method, path, source: String
        let middleware: [String]
    }

    func run() async throws {
        let routes = try makeApp(Settings(), logger: Logger(label: "app")).routes
        guard json else { return print(Self.table(of: routes)) }
        let rows = routes.map {
            Row(method: $0.method.rawValue, path: $0.path, source: $0.source, middleware: $0.middleware)
        }
        print(try CommandText.json(rows))
    }

    /// One line for each route, in columns.
    static func table(of routes: [RouteDescription]) -> String {
        TextTable(
            routes.map { [$0.method.rawValue, $0.path, $0.source, $0.middleware.joined(separator: ", ")] }
        ).text
    }
}
