import Roost

/// `routes`: lists the routes of the site.
struct RoutesCommand<Site: SiteProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "routes",
            abstract: "List the routes: method, path, where each is declared, and its group's middleware."
        )
    }

    @Flag(help: "Print an array of objects with method, path, source and middleware.") var json = false

    private struct Row: Encodable {
        let method, path, source: String
        let middleware: [String]
    }

    func run() async throws {
        let routes = try await Site.application().routes
        guard json else { return print(TextTable(routes: routes).text) }
        let rows = routes.map {
            Row(method: $0.method.rawValue, path: $0.path, source: $0.source, middleware: $0.middleware)
        }
        print(try JSONCoder.printed(rows))
    }
}

extension TextTable {
    /// One row for each route.
    init(routes: [RouteDescription]) {
        self.init(
            routes.map { [$0.method.rawValue, $0.path, $0.source, $0.middleware.joined(separator: ", ")] })
    }
}
