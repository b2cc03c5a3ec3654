import CoreMetrics
import Synchronization

/// A histogram: the number of values between fixed bounds, and their sum. It serves as swift-metrics' timers, in
/// seconds, and its recorders that aggregate. It is the whole, or what one loop has recorded.
final class MetricHistogram: TimerHandler, RecorderHandler, MetricShard {
    private let bounds: [Double]
    private let counts: InlineArray<16, Atomic<Int64>>
    private let sum = AtomicDouble()
    private let isShared: Bool

    /// The upper bounds of times, in seconds: from a quarter of a millisecond on, because most responses take less.
    static let times = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// The upper bounds of other values.
    static let values: [Double] = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1e3, 2.5e3, 5e3, 1e4, 1e5, 1e6]

    /// - Parameters:
    ///   - bounds: The upper bounds, in order, at most 15; the last bucket has none.
    ///   - isShared: Whether several threads may record at the same time.
    init(bounds: [Double], isShared: Bool) {
        self.bounds = bounds
        self.isShared = isShared
        counts = InlineArray { _ in Atomic(0) }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) * 1e-9) }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard !value.isNaN else { return }
        var bucket = 0
        while bucket < bounds.count, value > bounds[bucket] { bucket += 1 }
        if isShared {
            counts[bucket].wrappingAdd(1, ordering: .relaxed)
            sum.add(value)
        } else {
            counts[bucket].store(counts[bucket].load(ordering: .relaxed) &+ 1, ordering: .relaxed)
            sum.addAlone(value)
        }
    }

    func add(to sample: inout MetricSample) {
        for bucket in 0...bounds.count { sample.counts[bucket] &+= counts[bucket].load(ordering: .relaxed) }
        sample.value += sum.value
    }
}
