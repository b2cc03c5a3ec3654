internal import CSQLite
internal import RoostSQL
import Synchronization

/// The hits and misses of pages and of prepared statements in the memory of the connections to a file. A connection
/// adds what it has counted once in a while (``SQLiteConnection/prepared(_:)``), so this lags a little.
final class CacheCounts: Sendable {
    private let pageHits = Atomic(0)
    private let pageMisses = Atomic(0)
    private let statementHits = Atomic(0)
    private let statementMisses = Atomic(0)

    /// The hits and misses counted until now.
    var use: [SQLCacheUse] {
        [
            SQLCacheUse(
                name: "pages", hits: pageHits.load(ordering: .relaxed), misses: pageMisses.load(ordering: .relaxed)),
            SQLCacheUse(
                name: "statements", hits: statementHits.load(ordering: .relaxed),
                misses: statementMisses.load(ordering: .relaxed)),
        ]
    }

    /// Adds a connection's statements, and what SQLite has counted of its pages since the last time.
    func add(hits: Int, misses: Int, from connection: OpaquePointer) {
        statementHits.add(hits, ordering: .relaxed)
        statementMisses.add(misses, ordering: .relaxed)
        pageHits.add(Self.taken(SQLITE_DBSTATUS_CACHE_HIT, of: connection), ordering: .relaxed)
        pageMisses.add(Self.taken(SQLITE_DBSTATUS_CACHE_MISS, of: connection), ordering: .relaxed)
    }

    private static func taken(_ counter: Int32, of connection: OpaquePointer) -> Int {
        var (count, highest): (Int32, Int32) = (0, 0)
        return sqlite3_db_status(connection, counter, &count, &highest, 1) == SQLITE_OK ? Int(count) : 0
    }
}
