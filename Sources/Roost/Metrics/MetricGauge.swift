import CoreMetrics

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
