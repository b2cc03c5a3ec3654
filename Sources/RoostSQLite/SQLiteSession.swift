internal import RoostSQL
import Synchronization

/// A thread's connection. It is opened when needed, and opened again after something happened to the file.
final class SQLiteSession {
    let file: SQLiteFile
    let limits: StatementLimits
    private let role: SQLiteConnection.Role
    private var opened: SQLiteConnection?
    private var generation = 0
    /// The time of the last look at the log.
    private var lastLook: ContinuousClock.Instant?

    init(_ file: SQLiteFile, _ role: SQLiteConnection.Role, isOnLoop: Bool = false) {
        self.file = file
        self.role = file.configuration.access == .reading ? .reader : role
        limits = StatementLimits(file.configuration, isOnLoop: isOnLoop)
    }

    /// The connection.
    /// - Throws: ``DatabaseError`` when the file cannot be opened.
    func connection() throws(DatabaseError) -> SQLiteConnection {
        let current = file.generation.load(ordering: .relaxed)
        // A database in memory is gone with its connection.
        if let opened, generation == current, !opened.isSpent || file.configuration.isInMemory { return opened }
        // One that a migration has spent is closed when the next one is open: the file is locked all the time, so that
        // no restore begins in between.
        let spent = generation == current ? opened : nil
        defer { withExtendedLifetime(spent) {} }
        opened = nil
        generation = current
        let isFirst = role == .writer && !file.hasBeenOpen.load(ordering: .relaxed)
        let creates = isFirst && file.configuration.access == .creating
        let connection = try SQLiteConnection(file, role, creates: creates, limits)
        if role == .writer { file.hasBeenOpen.store(true, ordering: .relaxed) }
        opened = connection
        return connection
    }

    /// The connection if it is open.
    var current: SQLiteConnection? {
        generation == file.generation.load(ordering: .relaxed) ? opened : nil
    }

    /// Closes the connection if an error shows that something happened to the file.
    func note(_ error: any Error) {
        guard !file.configuration.isInMemory, let error = error as? DatabaseError, error.endsConnection else { return }
        opened = nil
    }

    /// Keeps the log from growing without end. SQLite begins it anew by itself, but only at a moment at which nobody
    /// reads; where somebody always does, the writer has to wait for it, every few seconds at most.
    func limitLog(_ now: ContinuousClock.Instant) {
        if let lastLook, lastLook + .seconds(5) > now { return }
        guard let opened, opened.role == .writer else { return }
        lastLook = now
        let (size, limit) = (opened.logSize, file.configuration.maximumLog)
        guard size > limit else { return }
        var isLocked = false
        limits.impatiently(for: 50) { isLocked = opened.emptyLog() }
        // Where other processes write all the time, a short wait never gets the lock.
        guard isLocked, size / 2 > max(limit, 4 << 20) else { return }
        limits.impatiently(for: 5) { _ = opened.emptyLog() }
    }

    func close() { opened = nil }
}
