import CoreMetrics
import Synchronization

/// A part of a counter: the whole, or what one loop has counted.
final class MetricCounter: CounterHandler, FloatingPointCounterHandler, MetricShard {
    private let whole = Atomic<Int64>(0)
    private let parts = AtomicDouble()
    private let isShared: Bool

    /// - Parameter isShared: Whether several threads may count at the same time.
    init(isShared: Bool) { self.isShared = isShared }

    func increment(by amount: Int64) {
        guard amount >= 0 else { return }
        if isShared {
            whole.wrappingAdd(amount, ordering: .relaxed)
        } else {
            whole.store(whole.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
        }
    }

    func increment(by amount: Double) { if amount >= 0, amount.isFinite { parts.add(amount) } }

    func reset() {
        whole.store(0, ordering: .relaxed)
        parts.set(0)
    }

    func add(to sample: inout MetricSample) {
        sample.whole &+= whole.load(ordering: .relaxed)
        sample.value += parts.value
    }
}

/// A value that goes up and down: swift-metrics' meters, and its recorders that do not aggregate.
final class MetricGauge: MeterHandler, RecorderHandler, MetricShard {
    private let number = AtomicDouble()

    func set(_ value: Int64) { number.set(Double(value)) }
    func set(_ value: Double) { number.set(value) }
    func increment(by amount: Double) { number.add(amount) }
    func decrement(by amount: Double) { number.add(-amount) }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }

    func add(to sample: inout MetricSample) { sample.value += number.value }
}
