internal import CSQLite
import Roost
internal import RoostSQL
import Synchronization

/// The thread that writes.
///
/// A commit waits for the disk, whatever it commits. So all writes that wait are run in one transaction, each behind a
/// savepoint of its own, and their tasks are told when the one commit is through. While the disk is busy with it, the
/// next ones gather.
struct Writer {
    private let queue: JobQueue
    private let session: SQLiteSession
    private let maximumGroup: Int
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Starts the thread.
    static func start(_ file: SQLiteFile, _ queue: JobQueue) throws(SystemError) -> LoopThread {
        try LoopThread(name: "roost-sql-write") { Writer(file, queue).run() }
    }

    private init(_ file: SQLiteFile, _ queue: JobQueue) {
        self.queue = queue
        session = SQLiteSession(file, .writer)
        maximumGroup = file.configuration.maximumGroup
        now = file.configuration.now
    }

    private func run() {
        while let job = queue.next() {
            if job.isGrouped {
                commit([job] + queue.nextGrouped(atMost: maximumGroup - 1))
            } else if job.begin(at: now()) {
                runAlone(job)
            }
        }
        close()
    }

    /// Brings what the log of writes holds into the file, and lets go of it.
    private func close() {
        guard let connection = try? session.connection() else { return }
        try? connection.execute("PRAGMA optimize")
        sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        session.close()
    }

    private func runAlone(_ job: SQLiteJob) {
        session.limits.job = job
        do {
            let connection = try session.connection()
            try job.perform(connection)
            session.limits.job = nil
            job.deliver()
            job.sequel?(connection)
        } catch {
            session.limits.job = nil
            session.note(error)
            job.fail(error)
        }
    }

    // MARK: Groups

    /// Runs jobs in one transaction; one that fails fails alone.
    private func commit(_ queued: [SQLiteJob]) {
        let time = now()
        let group = queued.filter { $0.begin(at: time) }
        guard !group.isEmpty else { return }
        switch attempt(group) {
        case .committed(let outcomes):
            for (job, error) in zip(group, outcomes) {
                if let error { job.fail(error) } else { job.deliver() }
            }
        case .undone(let error, nil):
            session.note(error)
            for job in group { job.fail(error) }
        case .undone(let error, let culprit?):
            session.note(error)
            for (index, job) in group.enumerated() {
                if index == culprit { job.fail(error) } else { commitAlone(job) }
            }
        }
    }

    /// A job whose group was undone by another one.
    private func commitAlone(_ job: SQLiteJob) {
        switch attempt([job]) {
        case .committed(let outcomes):
            if let error = outcomes[0] { job.fail(error) } else { job.deliver() }
        case .undone(let error, _):
            session.note(error)
            job.fail(error)
        }
    }

    private enum Attempt {
        /// It is durable, but for those jobs that have an error.
        case committed([(any Error)?])
        /// Nothing has been done; the second value is the place of the job that is to blame, -1 for one unknown.
        case undone(any Error, culprit: Int?)
    }

    private func attempt(_ group: [SQLiteJob]) -> Attempt {
        let connection: SQLiteConnection
        do {
            connection = try session.connection()
            try connection.execute("BEGIN IMMEDIATE")
        } catch {
            return .undone(error, culprit: nil)
        }
        defer { if !connection.isIdle { try? connection.execute("ROLLBACK") } }
        var outcomes: [(any Error)?] = []
        for (index, job) in group.enumerated() {
            do {
                let error = try run(job, connection, isOnly: group.count == 1)
                // SQLite rolls all back by itself when it is interrupted, out of disk, or told to by a trigger.
                if let error, connection.isIdle || group.count == 1 { return .undone(error, culprit: index) }
                outcomes.append(error)
            } catch {
                return .undone(error, culprit: nil)
            }
        }
        do {
            try connection.execute("COMMIT")
        } catch {
            // Constraints that are checked at the end: nobody knows whose, so that each is tried by itself.
            return .undone(error, culprit: error.isUnavailability || group.count == 1 ? nil : -1)
        }
        if connection.isLost { return .undone(loss(), culprit: nil) }
        return .committed(outcomes)
    }

    /// Why a job failed; what it did is undone then.
    /// - Throws: When that cannot be undone by itself.
    private func run(_ job: SQLiteJob, _ connection: SQLiteConnection, isOnly: Bool) throws -> (any Error)? {
        session.limits.job = job
        defer { session.limits.job = nil }
        do {
            if !isOnly { try connection.execute(cached: "SAVEPOINT job") }
            try job.perform(connection)
            if !isOnly { try connection.execute(cached: "RELEASE job") }
            return nil
        } catch {
            session.limits.job = nil
            if !isOnly, !connection.isIdle {
                try connection.execute("ROLLBACK TO job")
                try connection.execute("RELEASE job")
            }
            return error
        }
    }

    /// The file is another one than the connection has: all connections are opened anew.
    private func loss() -> DatabaseError {
        session.file.generation.add(1, ordering: .relaxed)
        return .unavailable("the file was removed or replaced (\(session.file.configuration.path)).")
    }
}
