import Synchronization

/// A number that one thread changes while others read it, or that several change.
struct AtomicDouble: ~Copyable, Sendable {
    private let bits: Atomic<UInt64>

    init(_ value: Double = 0) { bits = Atomic(value.bitPattern) }

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    /// Adds, whoever else adds at the same time.
    func add(_ more: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + more).bitPattern
            let (isDone, now) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if isDone { return }
            old = now
        }
    }

    /// Adds, if nobody else does.
    @inline(__always)
    func addAlone(_ more: Double) { set(value + more) }
}
