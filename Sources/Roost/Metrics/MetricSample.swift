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
