/// The series of one name, which differ in their labels.
struct MetricFamily: Sendable {
    /// The type of a metric, by Prometheus's name for it.
    enum Kind: String, Sendable { case counter, gauge, histogram }

    let kind: Kind
    /// The upper bounds of a histogram's buckets.
    var bounds: [Double] = []
    /// The series by their labels, as `method="GET",route="/"`.
    private var series: [String: Series] = [:]
    private var hasRefused = false

    private struct Series: Sendable {
        /// The shard for all who have none of their own.
        var shared: (any MetricShard)?
        var own: [any MetricShard] = []
    }

    /// The maximum number of series of a name: labels that anybody can make up must not fill the memory.
    static let capacity = 10_000

    init(_ kind: Kind, bounds: [Double] = []) {
        self.kind = kind
        self.bounds = bounds
    }

    /// The shard of a series that everybody shares who does not have one of their own.
    func shared(_ labels: String) -> (any MetricShard)? { series[labels]?.shared }

    /// Adds a shard; false when there are too many series.
    mutating func add(_ shard: any MetricShard, isShared: Bool, _ labels: String) -> Bool {
        guard series.count < Self.capacity || series[labels] != nil else { return false }
        if isShared {
            series[labels, default: Series()].shared = shard
        } else {
            series[labels, default: Series()].own.append(shard)
        }
        return true
    }

    /// Notes that a shard was not added; true the first time.
    mutating func noteRefusal() -> Bool {
        defer { hasRefused = true }
        return !hasRefused
    }

    /// Removes a shard, and its series if nothing else is in it.
    mutating func remove(_ shard: AnyObject) {
        for (labels, var one) in series {
            if one.shared === shard { one.shared = nil }
            one.own.removeAll { $0 === shard }
            series[labels] = one.shared == nil && one.own.isEmpty ? nil : one
        }
    }

    /// The values of all series by their labels; of a histogram, the sums.
    var values: [String: Double] {
        series.mapValues { one in
            let sample = sample(of: one)
            return Double(sample.whole) + sample.value
        }
    }

    private func sample(of one: Series) -> MetricSample {
        var sample = MetricSample(counts: kind == .histogram ? Array(repeating: 0, count: bounds.count + 1) : [])
        one.shared?.add(to: &sample)
        for shard in one.own { shard.add(to: &sample) }
        return sample
    }

    /// Appends the lines of all series, in the order of their labels.
    func write(_ name: String, to text: inout MetricText) {
        for (labels, one) in series.sorted(by: { $0.key < $1.key }) {
            let sample = sample(of: one)
            switch kind {
            case .counter:
                let whole = "\(sample.whole)"
                text.line(name, labels, sample.value == 0 ? whole : "\(Double(sample.whole) + sample.value)")
            case .gauge: text.line(name, labels, MetricText.number(sample.value))
            case .histogram: text.histogram(name, labels, bounds, sample)
            }
        }
    }
}

/// The values of the series of one name.
struct MetricValues {
    /// By the labels, as in the text format: `loop="0",state="idle"`.
    let series: [String: Double]

    /// The value of a series; nil if there is none.
    subscript(labels: [(String, String)]) -> Double? { series[MetricText.labels(labels)] }
}

/// The value of a series at the moment of a scrape: the sum of its shards.
struct MetricSample {
    /// The whole number of a counter.
    var whole: Int64 = 0
    /// The value of a gauge, the rest of a counter, or the sum of a histogram.
    var value = 0.0
    /// The number of values in each bucket of a histogram.
    var counts: [Int64] = []
}

/// A part of a series that is written without regard to the others: usually that of one loop.
protocol MetricShard: AnyObject, Sendable {
    /// Adds what it has to a sample.
    func add(to sample: inout MetricSample)
}
