public import CoreMetrics
public import Roost

extension Database: MetricsReporting {
    /// Tells how much of the engine is in use: connections, and statements that wait.
    public func reportMetrics(to metrics: any MetricsFactory) {
        guard let use = driver.use else { return }
        let engine = ("engine", dialect.rawValue)
        func set(_ name: String, _ value: Int?, _ more: [(String, String)] = []) {
            guard let value else { return }
            metrics.makeMeter(label: name, dimensions: [engine] + more).set(Int64(value))
        }
        set("sql_connections", use.busy, [("state", "busy")])
        set("sql_connections", use.idle, [("state", "idle")])
        set("sql_connections_limit", use.limit)
        set("sql_statements_waiting", use.waiting)
    }
}
