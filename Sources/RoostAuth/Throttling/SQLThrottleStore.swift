public import RoostSQL

/// A store of the failures of sign-ins in a table, for any number of instances that share the database.
/// ``AuthMigrations`` make the table. Failures older than an hour are deleted as new ones come.
public struct SQLThrottleStore: ThrottleStore {
    private let database: Database

    /// The time for which histories are kept, in milliseconds: longer than any rule looks back.
    private static let retention = 3_600_000
    /// The most old histories that are deleted at a time.
    private static let sweep = 20

    /// Creates a store in a database.
    public init(_ database: Database) { self.database = database }

    private struct Row: Decodable, Sendable {
        let key, times: String
    }

    /// Returns the histories under some keys.
    public func histories(_ keys: [String]) async throws -> [FailureHistory] {
        let rows = try await database.query(
            "SELECT key, times FROM sign_in_failures WHERE key IN \(list: keys)", as: Row.self)
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
                    ON CONFLICT (key) DO UPDATE SET used_at = excluded.used_at RETURNING key, times
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
        try await database.execute(
            """
            DELETE FROM sign_in_failures WHERE key IN
                (SELECT key FROM sign_in_failures WHERE used_at < \(now - Self.retention) LIMIT \(Self.sweep))
            """
        )
        return value
    }
}
