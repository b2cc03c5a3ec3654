import Roost
internal import RoostSQL
import Synchronization

/// Reads on an event loop, in place: for a short query, to wake a thread costs ten times the query.
///
/// A loop must not be held up, so only a statement that is proven to take bounded time begins here
/// (``BoundedProgram``), and it is broken off and begun again on a reader's thread:
///
/// - when it takes more steps than its budget, or reads more pages of the file;
/// - when it needs a page that neither SQLite nor the system has in memory (``CachedReads``), or a value that is long;
/// - when it meets a lock, or any other error of SQLite, which the thread then reports.
///
/// A statement that was broken off goes straight to a thread for some time. All queries of a turn share a transaction,
/// and so one pair of locks; it ends before a query that follows a commit.
final class LoopReader: Sendable {
    private let file: SQLiteFile
    private let state: Mutex<State>

    /// `@unchecked Sendable`: the session is used only while the state is locked.
    private struct State: @unchecked Sendable {
        let session: SQLiteSession
        /// The number of the file's commits when the open transaction began; nil when none is open.
        var seenCommits: Int?
        /// The time from which the connection may be opened again; nil if that has not been tried.
        var nextOpening: ContinuousClock.Instant?
        /// Whether the connection is closed for good.
        var isClosed = false
    }

    /// The maximum number of pages that a query may read from the file.
    private static let maximumReads = 256
    /// The time for which a statement that may take long is left to a thread.
    private static let slowPause = Duration.seconds(10)
    /// The time for which a statement whose pages were not in memory is left to a thread, which reads them.
    private static let coldPause = Duration.milliseconds(100)
    /// The least time between two attempts to open the connection.
    private static let openingPause = Duration.seconds(1)
    /// The maximum size of a text that is prepared on a loop, in bytes: that takes longer, the longer it is.
    private static let maximumText = 4096

    init(_ file: SQLiteFile) {
        self.file = file
        state = Mutex(State(session: SQLiteSession(file, .reader, isOnLoop: true)))
    }

    /// Runs a query and reduces its rows, if that takes no longer than it may.
    /// - Returns: Whether it was run. If not, a thread must run it, and what the rows were reduced to does not count.
    /// - Throws: Any error of `each`.
    func run<Value>(
        _ sql: SQL, into value: inout Value, _ each: (inout Value, any SQLRow) throws -> Bool
    ) throws -> Bool {
        guard sql.text.utf8.count <= Self.maximumText else { return false }
        return try state.withLockIfAvailable { state in
            guard let connection = state.session.current else { return false }
            var statement: SQLiteStatement?
            var failure: (any Error)?
            let (error, reads) = CachedReads.only(atMost: Self.maximumReads) {
                state.session.limits.begin()
                statement = try ready(sql.text, connection)
                guard let statement else { return }
                try begin(connection, &state)
                try statement.run(sql.bindings, into: &value) { value, row in
                    do { return try each(&value, row) } catch {
                        failure = error
                        throw error
                    }
                }
            }
            if error == nil, reads == .done { return statement != nil }
            end(connection, &state)
            if let failure { throw failure }
            note(error, reads, statement, &state)
            return false
        } ?? false
    }

    /// The statement, unless it is left to a thread.
    private func ready(_ text: String, _ connection: SQLiteConnection) throws -> SQLiteStatement? {
        var statement = try connection.prepared(text)
        if let end = statement.pauseEnd {
            guard file.configuration.now() >= end else { return nil }
            // It is looked at again: the schema may be another one, and so the program.
            connection.forget(statement)
            statement = try connection.prepared(text)
        }
        if statement.isProven { return statement }
        statement.pauseEnd = file.configuration.now() + Self.slowPause
        return nil
    }

    /// Leaves a statement that was broken off to a thread for a while.
    private func note(
        _ error: (any Error)?, _ reads: CachedReads.Outcome, _ statement: SQLiteStatement?, _ state: inout State
    ) {
        var pause = Self.coldPause
        switch reads {
        case .done:
            if case .timeout? = error as? DatabaseError { pause = Self.slowPause }
            if let error { state.session.note(error) }
        case .tooMany: pause = Self.slowPause
        case .missed: break
        case .unknown: shut(&state)
        }
        statement?.pauseEnd = file.configuration.now() + pause
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
        connection.limits.begin()
        do { try connection.execute(cached: "COMMIT") } catch { state.session.close() }
    }

    // MARK: The connection

    /// Whether somebody must call ``open()`` on a thread that may wait.
    func needsOpening() -> Bool {
        state.withLockIfAvailable { state in
            guard !state.isClosed, state.session.current == nil,
                state.nextOpening.map({ file.configuration.now() >= $0 }) ?? true
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
    func close() { state.withLock { shut(&$0) } }

    private func shut(_ state: inout State) {
        state.isClosed = true
        state.seenCommits = nil
        state.session.close()
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

/// The connections with which event loops read, one for each loop.
final class LoopReaders: Sendable {
    private let file: SQLiteFile
    private let queue: JobQueue
    private let readers = Mutex<[ObjectIdentifier: LoopReader]>([:])
    private let isOn: Bool

    /// The maximum number of loops that have a connection of their own.
    private static let maximumCount = 256

    /// - Parameter queue: The queue of the threads that open connections.
    init(_ file: SQLiteFile, _ queue: JobQueue) {
        self.file = file
        self.queue = queue
        isOn = !file.configuration.isInMemory && file.configuration.maximumLoopSteps > 0 && CachedReads.isPossible
    }

    /// The connection of the event loop that the caller is on; nil if its query must go to a thread.
    var reader: LoopReader? {
        guard isOn, !Task.isCancelled, let loop = EventLoop.current else { return nil }
        return readers.withLock { readers in
            let id = ObjectIdentifier(loop)
            if let known = readers[id] { return known }
            guard readers.count < Self.maximumCount else { return nil }
            let reader = LoopReader(file)
            readers[id] = reader
            return reader
        }
    }

    /// Has a thread open a connection.
    func openSoon(_ reader: LoopReader) {
        let job = SQLiteWork(deadline: file.configuration.now() + .seconds(60)) { _ in reader.open() }
        _ = queue.put(job)
    }

    /// Closes all connections; loops that read again get new ones.
    func close() {
        for reader in readers.withLock({ exchange(&$0, with: [:]) }).values { reader.close() }
    }
}
