import CoreMetrics
import Synchronization

/// The use of a database engine at a moment: its connections, and the statements that wait.
public struct SQLUse: Sendable, Equatable {
    /// Connections that run a statement or a transaction; nil where threads do.
    public var busy: Int?
    /// Connections that are open and free.
    public var idle: Int?
    /// The most connections there may be.
    public var limit: Int?
    /// Statements that wait for a connection or a thread.
    public var waiting: Int

    /// Creates a snapshot from the numbers that a driver knows.
    public init(busy: Int? = nil, idle: Int? = nil, limit: Int? = nil, waiting: Int) {
        (self.busy, self.idle, self.limit, self.waiting) = (busy, idle, limit, waiting)
    }
}

/// The gauges of a database, which are made when they are first used.
final class DatabaseGauges: Sendable {
    private let gauges = Mutex<[String: any MeterHandler]>([:])

    /// Sets the gauges to what is in use now.
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
            set("roost_sql_connections", use.busy, state: "busy")
            set("roost_sql_connections", use.idle, state: "idle")
            set("roost_sql_connections_max", use.limit)
            set("roost_sql_statements_waiting", use.waiting)
        }
    }
}
