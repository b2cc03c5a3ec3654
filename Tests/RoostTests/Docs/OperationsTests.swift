import FoundationEssentials
import Testing

@testable import Roost

/// `docs/operations.md` and the files beside it name what there is.
@Suite("Operations page", .timeLimit(.minutes(5)))
struct OperationsTests {
    private static let beginnings = ["roost_", "process_", "http_server_", "db_client_"]

    /// The words of a text that look like metrics.
    private static func metrics(in text: String) -> Set<String> {
        let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        return Set(words.filter { word in beginnings.contains { word.hasPrefix($0) } })
    }

    private static let names = Set(MetricHelp.texts.keys)

    private static let series = names.union(
        names.filter { $0.hasSuffix("duration_seconds") }.flatMap { [$0 + "_bucket", $0 + "_sum", $0 + "_count"] })

    @Test func `the table has every metric and no other`() {
        let kinds = ["counter", "gauge", "histogram"]
        let rows = Readme.contents("docs/operations.md").split(separator: "\n")
            .filter { row in row.hasPrefix("| `") && kinds.contains { row.contains("| \($0) |") } }
        let first = rows.map { String($0.split(separator: "|").first ?? "") }.joined(separator: " ")
        #expect(Self.metrics(in: first) == Self.names)
    }

    @Test(arguments: ["docs/grafana-dashboard.json", "docs/alert-rules.yml"])
    func `every metric that is asked for exists`(path: String) throws {
        let asked = Self.metrics(in: Readme.contents(path))
        #expect(asked.count > 5)
        #expect(asked.subtracting(Self.series).isEmpty, "\(asked.subtracting(Self.series))")
    }

    @Test(arguments: [
        "roost_jobs_oldest_due_seconds", "roost_jobs_unknown_due_seconds", "roost_jobs_total",
        "roost_certificate_expiry_timestamp_seconds",
    ])
    func `what the pages about jobs and TLS tell to alert on has a rule`(name: String) {
        #expect(Self.metrics(in: Readme.contents("docs/alert-rules.yml")).contains(name))
    }

    @Test func `the dashboard is JSON, with a query in each panel`() throws {
        struct Dashboard: Decodable {
            struct Panel: Decodable {
                struct Target: Decodable { let expr: String }
                let title: String
                let targets: [Target]
            }
            let title: String
            let panels: [Panel]
        }
        let bytes = Array(Readme.contents("docs/grafana-dashboard.json").utf8)
        let dashboard = try JSONCoder().decode(Dashboard.self, from: bytes)
        #expect(dashboard.title == "Roost")
        for panel in dashboard.panels {
            #expect(!panel.targets.isEmpty)
            for target in panel.targets {
                let opening = target.expr.count { $0 == "(" }, closing = target.expr.count { $0 == ")" }
                #expect(opening == closing, "\(panel.title): \(target.expr)")
            }
        }
    }
}
