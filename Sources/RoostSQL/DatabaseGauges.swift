import CoreMetrics
import Synchronization

/// The gauges of a database, which are made when they are first set.
final class DatabaseGauges: Sendable {
    private let gauges = Mutex<[String: any MeterHandler]>([:])

    /// Sets them.
    func report(_ use: SQLUse, of database: Database, to metrics: any MetricsFactory) {
        let labels = [("engine", database.dialect.rawValue), ("database", database.name)]
        gauges.withLock { gauges in
            func set(_ name: String, _ value: Int?, state: String? = nil) {
                guard let value else { return }
                let key = name + (state ?? "")
                let more = state.map { [("state", $0)] } ?? []
                let gauge = gauges[key] ?? metrics.makeMeter(label: name, dimensions: labels + more)
                gauges[key] = gauge
                gauge.set(Int64(value))
            }
            set("sql_connections", use.busy, state: "busy")
            set("sql_connections", use.idle, state: "idle")
            set("sql_connections_max", use.limit)
            set("sql_statements_waiting", use.waiting)
        }
    }
}
