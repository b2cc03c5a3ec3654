import CoreMetrics
import Roost
import RoostTesting
import Testing

@testable import RoostSQL

@Suite("Metrics of databases", .quietLog, .timeLimit(.minutes(5)))
struct DatabaseMetricsTests {
    @Test func `two databases of a program have series of their own`() async throws {
        let metrics = PrometheusMetrics()
        let databases = withMetricsFactory(metrics) {
            [Database(CannedDriver()), Database(CannedDriver(), name: "read")]
        }
        for (count, database) in zip(1..., databases) {
            for _ in 0..<count { try await database.execute("DELETE") }
            for _ in 0..<2 { database.reportMetrics(to: metrics) }
        }
        let lines = metrics.text().split(separator: "\n")
        for (count, name) in [(1, "main"), (2, "read")] {
            let labels = #"{database="\#(name)",engine="sqlite"}"#
            let standard = #"{db_namespace="\#(name)",db_system_name="sqlite"}"#
            #expect(lines.contains("db_client_operation_duration_seconds_count\(standard) \(count)"))
            #expect(lines.contains("roost_sql_connections_max\(labels) 3"))
            #expect(lines.contains("roost_sql_statements_waiting\(labels) 4"))
            #expect(lines.contains(#"roost_sql_connections{database="\#(name)",engine="sqlite",state="idle"} 2"#))
        }
    }
}
