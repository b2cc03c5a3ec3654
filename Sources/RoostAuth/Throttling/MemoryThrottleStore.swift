import Synchronization

/// Keeps the failures of sign-ins in memory: for one process, until it ends. When it is full, it forgets those that
/// were not looked at for longest.
public final class MemoryThrottleStore: ThrottleStore {
    private struct Entry {
        var history: FailureHistory
        var used: Int
    }

    private let entries = Mutex<[String: Entry]>([:])
    private let maximumCount: Int

    /// - Parameter maximumCount: The most histories that are kept; one takes about 200 bytes.
    public init(maximumCount: Int = 50_000) { self.maximumCount = maximumCount }

    /// The histories under some keys.
    public func histories(_ keys: [String]) -> [FailureHistory] {
        entries.withLock { entries in keys.map { entries[$0]?.history ?? FailureHistory() } }
    }

    /// Replaces the histories under some keys.
    public func update<Value: Sendable>(
        _ keys: [String], at now: Int, _ change: @Sendable (inout [FailureHistory]) -> Value
    ) -> Value {
        entries.withLock { entries in
            var histories = keys.map { entries[$0]?.history ?? FailureHistory() }
            let value = change(&histories)
            for (key, history) in zip(keys, histories) {
                entries[key] = history.times.isEmpty ? nil : Entry(history: history, used: now)
            }
            guard entries.count > maximumCount else { return value }
            // A tenth at a time, so that a full store is not sorted for every attempt.
            let surplus = entries.count - maximumCount + maximumCount / 10
            for entry in entries.sorted(by: { $0.value.used < $1.value.used }).prefix(surplus) {
                entries[entry.key] = nil
            }
            return value
        }
    }

    /// The number of histories that are in memory.
    public var count: Int { entries.withLock { $0.count } }
}
