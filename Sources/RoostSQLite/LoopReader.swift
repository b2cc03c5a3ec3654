import Roost
internal import RoostSQL
import Synchronization

/// Reads on an event loop, in place: for a short query, to wake a thread costs ten times the query.
///
/// A loop must not be held up, so a query that would take long is broken off and begun again on a reader's thread:
///
/// - when it takes more steps than its budget;
/// - when it needs a page that neither SQLite nor the system has in memory (``CachedReads``);
/// - when it meets a lock, or any other error of SQLite, which the thread then reports.
///
/// A statement that was broken off goes to the thread at once for a while. All queries of a turn share a transaction,
/// and so one pair of locks; it ends before a query that follows a commit.
final class LoopReader: Sendable {
    private let file: SQLiteFile
    private let state: Mutex<State>

    /// `@unchecked Sendable`: the session is used only while the state is locked.
    private struct State: @unchecked Sendable {
        let session: SQLiteSession
        /// How many commits the open transaction has seen; nil when none is open.
        var seenCommits: Int?
        /// Statements that have been broken off, and until when they go to a thread.
        var slow: [ExactText: ContinuousClock.Instant] = [:]
        /// When the connection may be opened again, if that has been tried.
        var nextOpening: ContinuousClock.Instant?
        var isClosed = false
    }

    /// How long a statement that took too many steps goes to a thread.
    private static let slowPause = Duration.seconds(10)
    /// How long a statement whose pages were not in memory goes to a thread, which reads them.
    private static let coldPause = Duration.milliseconds(100)
    /// How long after an attempt to open the connection the next one may be made.
    private static let openingPause = Duration.seconds(1)
    /// How many such statements are remembered.
    private static let maximumSlow = 256

    init(_ file: SQLiteFile) {
        self.file = file
        state = Mutex(State(session: SQLiteSession(file, .reader, isOnLoop: true)))
    }

    /// Runs a query, if that takes no longer than it may.
    /// - Returns: Whether it was run; if not, a thread must run it.
    /// - Throws: Any error of `each`.
    func run(_ sql: SQL, _ each: (any SQLRow) throws -> Bool) throws -> Bool {
        try state.withLockIfAvailable { state in
            guard let connection = state.session.current, !isSlow(sql.text, &state) else { return false }
            var failure: (any Error)?
            do {
                let (_, missed) = try CachedReads.only {
                    try begin(connection, &state)
                    state.session.limits.begin()
                    try connection.read(sql) { row in
                        do { return try each(row) } catch {
                            failure = error
                            throw error
                        }
                    }
                }
                guard missed else { return true }
                remember(sql.text, for: Self.coldPause, &state)
            } catch {
                if failure == nil { note(error, sql.text, &state) }
            }
            end(connection, &state)
            if let failure { throw failure }
            return false
        } ?? false
    }

    // MARK: Transactions

    private func begin(_ connection: SQLiteConnection, _ state: inout State) throws {
        let commits = file.commits.load(ordering: .acquiring)
        guard state.seenCommits != commits else { return }
        end(connection, &state)
        try connection.execute(cached: "BEGIN")
        state.seenCommits = commits
        EventLoop.current?.afterTurn(self)
    }

    private func end(_ connection: SQLiteConnection, _ state: inout State) {
        guard state.seenCommits != nil else { return }
        state.seenCommits = nil
        guard !connection.isIdle else { return }
        do { try connection.execute(cached: "COMMIT") } catch { state.session.close() }
    }

    // MARK: What is slow

    private func isSlow(_ text: String, _ state: inout State) -> Bool {
        guard !state.slow.isEmpty, let end = state.slow[ExactText(text)] else { return false }
        if file.configuration.now() < end { return true }
        state.slow[ExactText(text)] = nil
        return false
    }

    private func remember(_ text: String, for pause: Duration, _ state: inout State) {
        if state.slow.count >= Self.maximumSlow { state.slow.removeAll() }
        state.slow[ExactText(text)] = file.configuration.now() + pause
    }

    private func note(_ error: any Error, _ text: String, _ state: inout State) {
        if case .timeout? = error as? DatabaseError { return remember(text, for: Self.slowPause, &state) }
        if error is WriterNeeded { return remember(text, for: Self.slowPause, &state) }
        remember(text, for: Self.coldPause, &state)
        state.session.note(error)
    }

    // MARK: The connection

    /// Whether somebody must call ``open()`` on a thread that may wait.
    func needsOpening() -> Bool {
        state.withLockIfAvailable { state in
            guard state.session.current == nil, state.nextOpening.map({ file.configuration.now() >= $0 }) ?? true
            else { return false }
            state.nextOpening = file.configuration.now() + Self.openingPause
            return true
        } ?? false
    }

    /// Opens the connection. The loop never waits for that: while the state is locked, it has queries run elsewhere.
    func open() {
        state.withLock { state in
            if !state.isClosed { _ = try? state.session.connection() }
        }
    }

    /// Closes the connection for good.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.seenCommits = nil
            state.session.close()
        }
    }
}

extension LoopReader: TurnObserver {
    /// Ends the transaction that the turn's queries shared.
    func turnEnded() {
        state.withLockIfAvailable { state in
            if let connection = state.session.current { end(connection, &state) } else { state.seenCommits = nil }
        }
    }
}
