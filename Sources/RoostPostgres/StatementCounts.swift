import RoostSQL
import Synchronization

/// The hits and misses of the connections' caches of prepared statements. A connection adds what it has counted every
/// 16 statements (``StatementCache/find(_:)``), so this lags a little, and loops seldom write the same memory.
final class StatementCounts: Sendable {
    private let hits = Atomic(0)
    private let misses = Atomic(0)

    /// The counts until now, for the metrics.
    var use: SQLCacheUse {
        SQLCacheUse(
            name: "statements", hits: hits.load(ordering: .relaxed), misses: misses.load(ordering: .relaxed))
    }

    func add(hits: Int, misses: Int) {
        self.hits.add(hits, ordering: .relaxed)
        self.misses.add(misses, ordering: .relaxed)
    }
}
