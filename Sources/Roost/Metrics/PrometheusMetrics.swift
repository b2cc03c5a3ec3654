public import CoreMetrics
import Logging
import Synchronization

/// A back end of swift-metrics that keeps what is measured for Prometheus.
///
///     MetricsSystem.bootstrap(PrometheusMetrics.standard)      // before the application is made
///     let orders = Counter(label: "shop_orders_total", dimensions: [("kind", "gift")])
///     orders.increment()
///
/// An application with an ``ServerConfiguration/adminPort`` shows it there, at `/metrics`, together with what Roost
/// measures itself; `docs/operations.md` lists that.
///
/// A label becomes a name that Prometheus allows. Counters end in `_total`, and timers, in seconds, in `_seconds`: what
/// is missing is added. Counters, meters, gauges, recorders and timers of the same label and dimensions are one series.
/// A name has one type, and at most 10,000 series. Anything beyond that is not kept, which is logged once. The figures
/// of the process (`process_…`) are Roost's own, whoever else measures them.
public final class PrometheusMetrics: MetricsFactory {
    /// The back end of this process, for `MetricsSystem.bootstrap`.
    public static let standard = PrometheusMetrics()

    private let families = Mutex<[String: MetricFamily]>([:])

    /// Creates a back end without metrics.
    public init() {}

    /// All metrics in Prometheus's text format, version 0.0.4, in the order of their names.
    public func text() -> String {
        var text = MetricText()
        let families = families.withLock { $0 }
        let figures = ProcessFigures.now
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            // A family that is there twice makes Prometheus refuse all.
            if figures.contains(where: { $0.name == name }) { continue }
            text.begin(name, family.kind, help: MetricHelp.texts[name])
            family.write(name, to: &text)
        }
        for (name, kind, value) in figures {
            text.begin(name, kind, help: MetricHelp.texts[name])
            text.line(name, "", MetricText.number(value))
        }
        return text.text
    }

    /// The present values of a counter or a gauge; none for a name that nobody has used.
    func values(of name: String) -> MetricValues {
        MetricValues(series: families.withLock { $0[name] }?.values ?? [:])
    }

    // MARK: swift-metrics

    /// A counter.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        counter(label, dimensions, isShared: true)
    }

    /// A counter that may grow by fractions.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        counter(label, dimensions, isShared: true)
    }

    /// A gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(label, dimensions)
    }

    /// A histogram if it aggregates, otherwise a gauge.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        guard aggregate else { return gauge(label, dimensions) }
        return histogram(MetricText.name(label), MetricHistogram.values, dimensions, isShared: true)
    }

    /// A histogram in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        timer(label, dimensions, isShared: true)
    }

    /// Forgets a counter.
    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    /// Forgets a counter that may grow by fractions.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    /// Forgets a gauge.
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    /// Forgets a histogram or gauge.
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    /// Forgets a histogram.
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    // MARK: Shards

    /// A counter; one that is not shared is a part of its own, which only one thread may count with.
    func counter(_ label: String, _ dimensions: [(String, String)], isShared: Bool) -> MetricCounter {
        let name = Self.name(label, ending: "_total")
        return shard(name, .init(.counter), dimensions, isShared) { MetricCounter(isShared: isShared) }
    }

    /// A histogram of times; one that is not shared is a part of its own, which only one thread may record with.
    func timer(_ label: String, _ dimensions: [(String, String)], isShared: Bool) -> MetricHistogram {
        histogram(Self.name(label, ending: "_seconds"), MetricHistogram.times, dimensions, isShared: isShared)
    }

    private func gauge(_ label: String, _ dimensions: [(String, String)]) -> MetricGauge {
        shard(MetricText.name(label), .init(.gauge), dimensions, true) { MetricGauge() }
    }

    private func histogram(
        _ name: String, _ bounds: [Double], _ dimensions: [(String, String)], isShared: Bool
    ) -> MetricHistogram {
        let dimensions = dimensions.map { ($0.0 == "le" ? "le_" : $0.0, $0.1) }
        return shard(name, .init(.histogram, bounds: bounds), dimensions, isShared) {
            MetricHistogram(bounds: bounds, isShared: isShared)
        }
    }

    private static func name(_ label: String, ending: String) -> String {
        let name = MetricText.name(label)
        return name.hasSuffix(ending) ? name : name + ending
    }

    /// The shard of a series, which is kept unless its name has another type or too many series.
    private func shard<Shard: MetricShard>(
        _ name: String, _ new: MetricFamily, _ dimensions: [(String, String)], _ isShared: Bool,
        _ make: () -> Shard
    ) -> Shard {
        let labels = MetricText.labels(dimensions)
        let (shard, isFirstRefusal) = families.withLock { families -> (Shard, Bool) in
            if isShared, let shard = families[name]?.shared(labels) as? Shard { return (shard, false) }
            let shard = make()
            // In place: a copy would be one of all series, for each that is added.
            if families[name].map({ $0.kind == new.kind && $0.bounds == new.bounds }) ?? true,
                families[name, default: new].add(shard, isShared: isShared, labels)
            {
                return (shard, false)
            }
            return (shard, families[name]?.noteRefusal() ?? false)
        }
        // Without the lock: a log may count its lines.
        if isFirstRefusal {
            Logger.current(or: "roost").warning(
                """
                Not all of the metric \(name) is kept: a name has one type, one set of buckets, and at most \
                \(MetricFamily.capacity) series.
                """)
        }
        return shard
    }

    private func remove(_ handler: AnyObject) {
        families.withLock { families in
            for name in families.keys { families[name]?.remove(handler) }
        }
    }
}
