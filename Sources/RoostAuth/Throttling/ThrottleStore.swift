import Logging
import Roost
public import RoostSQL
import Synchronization

/// A store of the failures of sign-ins: a history for each key.
public protocol ThrottleStore: Sendable {
    /// Returns the histories under some keys.
    func histories(_ keys: [String]) async throws -> [FailureHistory]
    /// Replaces the histories under some keys atomically: no other change comes in between.
    /// - Returns: The value that the change returns.
    func update<Value: Sendable>(
        _ keys: [String], at now: Int, _ change: @escaping @Sendable (inout [FailureHistory]) -> Value
    ) async throws -> Value
}

/// The times at which attempts under one key have failed, in milliseconds since 1970, the oldest first. An attempt
/// counts as failed from its beginning until it has succeeded, so simultaneous attempts cannot get around a limit.
public struct FailureHistory: Sendable, Equatable {
    var times: [Int]

    /// Reads a history from its ``text``; without one it is empty. Of a text that is longer than any rule needs, it
    /// reads the end.
    public init(text: String = "") {
        let end = text.utf8.suffix(ThrottleRule.maximumTextSize)
        times = end.split(separator: UInt8(ascii: " ")).compactMap { Int(Substring($0)) }
    }

    /// The times as a text, to be stored: `1700000000000 1700000001000`.
    public var text: String { times.map(String.init).joined(separator: " ") }

    /// Forgets what is older than a rule looks back, and what is more than it needs to know.
    ///
    /// An attempt that seems to be yet to come, because another instance's clock is ahead or this one was set back,
    /// counts as made just now: so it is not lost, and nobody has to wait until the clock has caught up.
    mutating func forget(_ rule: ThrottleRule, at now: Int) {
        times = times.lazy.map { min($0, now) }.filter { $0 > now - rule.window }
        if times.count > rule.maximumCount { times.removeFirst(times.count - rule.maximumCount) }
    }

    /// Whether an attempt in it seems to be yet to come.
    func isAhead(of now: Int) -> Bool { times.contains { $0 > now } }

    /// Takes back an attempt that was noted at a time, which an instance whose clock is behind may have changed.
    mutating func takeBack(_ time: Int) {
        guard let index = times.lastIndex(of: time) ?? times.indices.last else { return }
        times.remove(at: index)
    }

    /// Returns the time for which the next attempt has to wait, in milliseconds; zero or less when it need not.
    func wait(_ rule: ThrottleRule, at now: Int) -> Int {
        guard let last = times.last else { return 0 }
        return last + rule.delay(after: times.count) - now
    }
}

/// A store of the failures of sign-ins in memory: for one process, until it ends. When it is full, it forgets those
/// that have not been looked at for longest.
package final class MemoryThrottleStore: ThrottleStore {
    private struct Entry {
        var history: FailureHistory
        var used: Int
    }

    private let entries = Mutex<[String: Entry]>([:])
    private let maximumCount: Int

    /// Creates an empty store.
    /// - Parameter maximumCount: The most histories that are kept; one takes about 200 bytes.
    package init(maximumCount: Int = 50_000) { self.maximumCount = maximumCount }

    /// Returns the histories under some keys.
    package func histories(_ keys: [String]) -> [FailureHistory] {
        entries.withLock { entries in keys.map { entries[$0]?.history ?? FailureHistory() } }
    }

    /// Replaces the histories under some keys.
    package func update<Value: Sendable>(
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
    var count: Int { entries.withLock { $0.count } }
}

/// A store of the failures of sign-ins in a table, for any number of instances that share the database.
/// ``AuthMigrations`` make the table. Failures older than an hour are deleted as new ones come.
public struct SQLThrottleStore: ThrottleStore {
    private let database: Database

    /// The time for which histories are kept, in milliseconds: as long as any rule may look back.
    private static let retention = ThrottleLimits.retention.wholeMilliseconds
    /// The most old histories that are deleted at a time.
    private static let sweep = 20

    /// Creates a store in a database.
    public init(_ database: Database) { self.database = database }

    private struct Row: Decodable, Sendable {
        let key, times: String
    }

    /// Returns the histories under some keys.
    public func histories(_ keys: [String]) async throws -> [FailureHistory] {
        let rows = try await database.queryAll(
            "SELECT key, CAST(times AS TEXT) AS times FROM sign_in_failures WHERE key IN \(list: keys)", as: Row.self)
        return keys.map { key in FailureHistory(text: rows.first { $0.key == key }?.times ?? "") }
    }

    /// Replaces the histories under some keys. Their rows are locked in the order of the keys, so that two attempts
    /// cannot wait for each other.
    public func update<Value: Sendable>(
        _ keys: [String], at now: Int, _ change: @escaping @Sendable (inout [FailureHistory]) -> Value
    ) async throws -> Value {
        let value = try await database.transaction(isolation: .readCommitted) { transaction in
            var found: [String: FailureHistory] = [:]
            for key in keys.sorted() {
                let row = try await transaction.first(
                    """
                    INSERT INTO sign_in_failures (key, times, used_at) VALUES (\(key), '', \(now))
                    ON CONFLICT (key) DO UPDATE SET used_at = excluded.used_at
                    RETURNING key, CAST(times AS TEXT) AS times
                    """,
                    as: Row.self
                )
                found[key] = FailureHistory(text: row?.times ?? "")
            }
            var histories = keys.map { found[$0] ?? FailureHistory() }
            let value = change(&histories)
            for (key, history) in zip(keys, histories) {
                // Nothing is to be remembered of an attempt that was refused, or has succeeded.
                try await transaction.execute(
                    history.times.isEmpty
                        ? "DELETE FROM sign_in_failures WHERE key = \(key)"
                        : "UPDATE sign_in_failures SET times = \(history.text) WHERE key = \(key)")
            }
            return value
        }
        // The change is made, whatever becomes of this.
        do {
            try await database.execute(
                database.removal(
                    of: Self.sweep, from: "sign_in_failures", by: "key",
                    where: "used_at < \(now - Self.retention) ORDER BY used_at"))
        } catch is CancellationError {
            // Its client has left.
        } catch {
            Logger(label: "roost.auth").warning("Old failures of sign-ins cannot be removed: \(error)")
        }
        return value
    }
}
