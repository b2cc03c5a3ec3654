import CoreMetrics
import Synchronization

/// The gauges and counters of a database, which are made when they are first used.
final class DatabaseGauges: Sendable {
    private let gauges = Mutex<[String: any MeterHandler]>([:])
    private let counters = Mutex<[String: Counted]>([:])

    /// A counter, and what it has been told.
    private struct Counted {
        let counter: any CounterHandler
        var value = 0
    }

    /// Sets the gauges to what is in use now, and adds to the counters.
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
        for cache in use.caches {
            let labels = labels + [("cache", cache.name)]
            count("roost_sql_cache_hits_total", cache.name, cache.hits, labels, metrics)
            count("roost_sql_cache_misses_total", cache.name, cache.misses, labels, metrics)
        }
    }

    /// Adds what has come to a number since the last time.
    private func count(
        _ name: String, _ cache: String, _ value: Int, _ labels: [(String, String)], _ metrics: any MetricsFactory
    ) {
        counters.withLock { counters in
            let key = name + cache
            var counted = counters[key] ?? Counted(counter: metrics.makeCounter(label: name, dimensions: labels))
            counted.counter.increment(by: Int64(max(0, value - counted.value)))
            counted.value = max(counted.value, value)
            counters[key] = counted
        }
    }
}
