import CoreMetrics
import Logging
import RoostTesting
import Testing

@testable import Roost

/// The text format 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/
@Suite("Prometheus metrics", .timeLimit(.minutes(5)))
struct PrometheusMetricsTests {
    /// The text without the figures of the process.
    private func text(_ metrics: PrometheusMetrics) -> [Substring] {
        metrics.text().split(separator: "\n").filter { !$0.contains("process_") }
    }

    @Test func `a counter ends in _total, and its series are in the order of their labels`() {
        let metrics = PrometheusMetrics()
        Counter(label: "shop.orders", dimensions: [("kind", "gift"), ("a", "1")], factory: metrics).increment(by: 2)
        Counter(label: "shop.orders", dimensions: [("a", "0")], factory: metrics).increment()
        #expect(
            text(metrics) == [
                "# TYPE shop_orders_total counter", #"shop_orders_total{a="0"} 1"#,
                #"shop_orders_total{a="1",kind="gift"} 2"#,
            ])
    }

    @Test func `counters of one name and the same labels are one, in whatever order`() {
        let metrics = PrometheusMetrics()
        Counter(label: "x_total", dimensions: [("a", "1"), ("b", "2")], factory: metrics).increment()
        Counter(label: "x_total", dimensions: [("b", "2"), ("a", "1")], factory: metrics).increment()
        FloatingPointCounter(label: "x_total", dimensions: [("a", "1"), ("b", "2")], factory: metrics)
            .increment(by: 0.5)
        #expect(text(metrics).last == #"x_total{a="1",b="2"} 2.5"#)
    }

    @Test func `the shards of loops and what is shared add up`() {
        let metrics = PrometheusMetrics()
        for count in 1...3 {
            metrics.counter("x", [], isShared: false).increment(by: Int64(count))
            metrics.timer("t", [], isShared: false).recordNanoseconds(1_000_000_000)
        }
        Counter(label: "x", factory: metrics).increment(by: 10)
        #expect(text(metrics).last == "x_total 16")
        #expect(text(metrics).contains("t_seconds_count 3"))
        #expect(text(metrics).contains("t_seconds_sum 3"))
    }

    @Test func `buckets are cumulative, and the last one is the count`() {
        let metrics = PrometheusMetrics()
        let timer = Timer(label: "t_seconds", dimensions: [("q", "1")], factory: metrics)
        for seconds in [0.0001, 0.00025, 0.02, 60.0] { timer.recordSeconds(seconds) }
        let lines = text(metrics)
        #expect(lines[0] == "# TYPE t_seconds histogram")
        #expect(lines[1] == #"t_seconds_bucket{q="1",le="0.00025"} 2"#)
        #expect(lines.contains(#"t_seconds_bucket{q="1",le="0.01"} 2"#))
        #expect(lines.contains(#"t_seconds_bucket{q="1",le="0.025"} 3"#))
        #expect(lines.contains(#"t_seconds_bucket{q="1",le="10"} 3"#))
        #expect(lines.suffix(3).first == #"t_seconds_bucket{q="1",le="+Inf"} 4"#)
        #expect(lines.suffix(2).first?.hasPrefix(#"t_seconds_sum{q="1"} 60.02035"#) == true)
        #expect(lines.last == #"t_seconds_count{q="1"} 4"#)
    }

    @Test func `gauges go up and down, and hold any number`() {
        let metrics = PrometheusMetrics()
        let meter = Meter(label: "depth", factory: metrics)
        meter.set(5)
        meter.decrement(by: 1.5)
        #expect(text(metrics) == ["# TYPE depth gauge", "depth 3.5"])
        Gauge(label: "depth", factory: metrics).record(-Double.infinity)
        #expect(text(metrics).last == "depth -Inf")
        meter.set(Double.nan)
        #expect(text(metrics).last == "depth NaN")
    }

    @Test func `a recorder that aggregates is a histogram`() {
        let metrics = PrometheusMetrics()
        Recorder(label: "sizes", factory: metrics).record(30)
        #expect(text(metrics).contains(#"sizes_bucket{le="25"} 0"#))
        #expect(text(metrics).contains(#"sizes_bucket{le="50"} 1"#))
    }

    @Test func `text from elsewhere cannot break a line or a label`() {
        let metrics = PrometheusMetrics()
        Counter(label: "1 odd-name", dimensions: [("a:b", "\"\\\n}")], factory: metrics).increment()
        #expect(text(metrics).last == #"_1_odd_name_total{a_b="\"\\\n}"} 1"#)
    }

    @Test func `labels that become one name are one, and a name of the process is that of the system`() {
        let metrics = PrometheusMetrics()
        Counter(label: "x", dimensions: [("a.b", "1"), ("a_b", "2"), ("a.b", "3")], factory: metrics).increment()
        Counter(label: "process_cpu_seconds", factory: metrics).increment(by: 1_000_000)
        #expect(text(metrics).last == #"x_total{a_b="1"} 1"#)
        let lines = metrics.text().split(separator: "\n")
        let types = lines.filter { $0.hasPrefix("# TYPE ") }
        #expect(types.contains("# TYPE process_cpu_seconds_total counter"))
        #expect(Set(types).count == types.count)
        #expect(!lines.contains("process_cpu_seconds_total 1000000"))
    }

    @Test func `what a name does not keep is told once`() {
        let log = LogLines()
        let metrics = PrometheusMetrics()
        withLogger(log.logger) { _ in
            for id in 0..<MetricFamily.capacity + 3 {
                _ = metrics.counter("x", [("id", "\(id)")], isShared: true)
            }
            Meter(label: "y_total", factory: metrics).set(1)
            for _ in 0..<2 { Counter(label: "y", factory: metrics).increment() }
        }
        #expect(log.all.count == 2)
        #expect(zip(log.all, ["x_total", "y_total"]).allSatisfy { $0.contains("metric \($1) is kept") }, "\(log.all)")
    }

    @Test func `a name keeps its first type`() {
        let metrics = PrometheusMetrics()
        Meter(label: "x_total", factory: metrics).set(1)
        Counter(label: "x_total", factory: metrics).increment()
        #expect(text(metrics) == ["# TYPE x_total gauge", "x_total 1"])
    }

    @Test func `a name has a bounded number of series`() {
        let metrics = PrometheusMetrics()
        for number in 0..<MetricFamily.capacity + 5 {
            Counter(label: "x", dimensions: [("id", "\(number)")], factory: metrics).increment()
        }
        #expect(text(metrics).count == MetricFamily.capacity + 1)
    }

    @Test func `a name that is full goes on with the series that it has`() {
        let metrics = PrometheusMetrics()
        for number in 0..<MetricFamily.capacity { _ = metrics.counter("x", [("id", "\(number)")], isShared: true) }
        for id in ["0", "new", "0", "new"] {
            metrics.counter("x", [("id", id)], isShared: true).increment(by: 1 as Int64)
            metrics.counter("x", [("id", id)], isShared: false).increment(by: 1 as Int64)
        }
        let values = metrics.values(of: "x_total")
        #expect(values[[("id", "0")]] == 4)
        #expect(values[[("id", "new")]] == nil)
        #expect(values.series.count == MetricFamily.capacity)
    }

    @Test func `a name keeps its first buckets`() {
        let metrics = PrometheusMetrics()
        Timer(label: "x", factory: metrics).recordSeconds(1)
        Recorder(label: "x_seconds", dimensions: [("a", "1")], factory: metrics).record(1)
        #expect(metrics.values(of: "x_seconds").series.count == 1)
    }

    @Test func `what is destroyed is forgotten`() {
        let metrics = PrometheusMetrics()
        let counter = Counter(label: "x", dimensions: [("id", "1")], factory: metrics)
        Counter(label: "x", dimensions: [("id", "2")], factory: metrics).increment()
        counter.destroy()
        #expect(text(metrics) == ["# TYPE x_total counter", #"x_total{id="2"} 1"#])
    }

    @Test func `the process has its figures`() throws {
        let lines = PrometheusMetrics().text().split(separator: "\n")
        for name in MetricHelp.texts.keys where name.hasPrefix("process_") {
            let line = try #require(lines.first { $0.hasPrefix(name + " ") }, "\(name)")
            #expect(try #require(Double(line.dropFirst(name.count + 1))) > 0, "\(line)")
            for kind in ["HELP", "TYPE"] { #expect(lines.contains { $0.hasPrefix("# \(kind) \(name) ") }) }
        }
    }

    @Test func `the time of its start does not change`() {
        let times = (0..<50).map { _ in
            PrometheusMetrics().text().split(separator: "\n").first { $0.hasPrefix("process_start_time_seconds ") }
        }
        #expect(Set(times).count == 1)
    }

    /// Prometheus's advice on naming: base units, `_total` for counters only.
    @Test func `Roost's own names follow the rules`() {
        let units = ["seconds", "bytes", "total", "open", "fds", "threads", "connections", "max", "waiting"]
        for name in MetricHelp.texts.keys {
            #expect(name == MetricText.name(name, colons: false))
            #expect(["roost_", "process_", "http_server_", "db_client_"].contains { name.hasPrefix($0) }, "\(name)")
            let end = String(name.split(separator: "_").last ?? "")
            #expect((units + ["length", "subscribers", "running"]).contains(end), "\(name)")
        }
    }
}
