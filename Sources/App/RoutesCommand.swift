import ArgumentParser
import Logging
import Roost

/// `App routes`: lists the routes of the site.
struct RoutesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "List the routes: method, path, where each is declared, and its group's middleware."
    )

    func run() async throws {
        print(Self.table(of: try makeApp(Settings(), logger: Logger(label: "app")).routes))
    }

    /// One line for each route, in columns.
    static func table(of routes: [RouteDescription]) -> String {
        let rows = routes.map {
            [$0.method.rawValue, $0.path, $0.source, $0.middleware.joined(separator: ", ")]
        }
        let widths = (0..<3).map { column in rows.map { $0[column].utf8.count }.max() ?? 0 }
        return rows.map { row in line(row, widths) }.joined(separator: "\n")
    }

    private static func line(_ row: [String], _ widths: [Int]) -> String {
        let padded = zip(row, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.utf8.count)) }
        var line = (padded + [row[3]]).joined(separator: "  ")
        while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
        return line
    }
}
