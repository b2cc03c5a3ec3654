import Synchronization

/// A limit on the bytes that a server keeps in memory for its clients, counted for all of its loops together: bodies
/// that are collected, responses that are not taken, and requests that do not end. What fits into the loops' own
/// buffers, which is nearly everything, is not counted.
package final class MemoryBudget: Sendable {
    package let limit: Int
    private let used = Atomic(0)
    /// The most in use since memory was last given back to the system.
    private let peak = Atomic(0)

    /// The least number of bytes that clients must have let go of for ``takeRelief()`` to be true.
    private static let relief = 32 << 20

    /// The largest buffer of a client, in bytes, that is not counted: usually a head or a message in two pieces.
    static let uncounted = 4096

    package init(_ limit: Int) { self.limit = limit }

    /// The most bytes that one owner may have, when nobody else has any: more never fits.
    package var largest: Int { limit / 2 }

    /// The number of bytes in use.
    var count: Int { used.load(ordering: .relaxed) }

    /// Whether somebody who would then have `total` bytes may have `more`. At least as much must be left for others, so
    /// when little is left, those who want a lot are refused first.
    func hasRoom(for more: Int, of total: Int) -> Bool {
        let left = limit - count
        return more <= left && total <= left - more
    }

    /// Whether clients have let go of much, and of most, since this was last true.
    func takeRelief() -> Bool {
        let (count, peak) = (count, peak.load(ordering: .relaxed))
        guard peak - count >= Self.relief, count <= peak / 2 else { return false }
        return self.peak.compareExchange(expected: peak, desired: count, ordering: .relaxed).exchanged
    }

    fileprivate func take(_ bytes: Int) {
        let count = used.add(bytes, ordering: .relaxed).newValue
        if count > peak.load(ordering: .relaxed) { peak.store(count, ordering: .relaxed) }
    }

    fileprivate func give(_ bytes: Int) { used.subtract(bytes, ordering: .relaxed) }
}

/// A part of a budget, which is given back when nothing refers to it any more.
package final class MemoryLease: Sendable {
    private let budget: MemoryBudget
    private let size: Atomic<Int>

    /// Takes a number of bytes, whether or not there is room.
    package init(_ size: Int, of budget: MemoryBudget) {
        self.budget = budget
        self.size = Atomic(size)
        budget.take(size)
    }

    /// Takes more, if there is room; returns false if there is not.
    func hasGrown(by more: Int) -> Bool {
        guard budget.hasRoom(for: more, of: size.load(ordering: .relaxed) + more) else { return false }
        size.add(more, ordering: .relaxed)
        budget.take(more)
        return true
    }

    /// Gives back what is more than a number of bytes.
    package func shrink(to total: Int) {
        let rest = max(0, size.load(ordering: .relaxed) - total)
        size.subtract(rest, ordering: .relaxed)
        budget.give(rest)
    }

    deinit { budget.give(size.load(ordering: .relaxed)) }
}

/// A stream of a client's bytes, which are counted while they are collected.
protocol CountedStream {
    var memory: MemoryBudget { get }
}

/// A stream made from bytes in memory, which stay there until its client has taken it, and are counted meanwhile.
protocol KeepingStream {
    /// The number of bytes that stay in memory.
    var keptCount: Int { get }
}
