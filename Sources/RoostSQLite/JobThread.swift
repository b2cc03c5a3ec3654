internal import CSQLite
import Roost
internal import RoostSQL

/// A thread that runs the jobs of a queue: the one that writes, or one that reads.
///
/// Of the writer: a commit waits for the disk, however much it commits. So all waiting writes run in one transaction,
/// each in its own savepoint, and their tasks are resumed after that one commit. While the disk is busy with it, the
/// next writes gather.
struct JobThread {
    private let queue: JobQueue
    /// The queue to which a thread that reads passes the jobs that would write; nil for the thread that writes.
    private let writer: JobQueue?
    private let session: SQLiteSession
    private let now: @Sendable () -> ContinuousClock.Instant

    /// The maximum number of writes, of different callers, that one commit makes durable.
    private static let maximumGroup = 256

    /// Starts a thread, which belongs to its queue.
    /// - Parameter writer: The queue of the thread that writes, for a thread that reads.
    static func start(_ file: SQLiteFile, _ queue: JobQueue, writer: JobQueue? = nil) throws(SystemError) {
        let name = writer == nil ? "roost-sql-write" : "roost-sql-read"
        queue.own(try LoopThread(name: name) { JobThread(file, queue, writer).run() })
    }

    private init(_ file: SQLiteFile, _ queue: JobQueue, _ writer: JobQueue?) {
        self.queue = queue
        self.writer = writer
        session = SQLiteSession(file, writer == nil ? .writer : .reader)
        now = file.configuration.now
    }

    private func run() {
        while let job = queue.next() {
            let time = now()
            if job.isGrouped, writer == nil {
                commit([job] + queue.nextGrouped(atMost: Self.maximumGroup - 1), time)
            } else if job.begin(at: time) {
                runAlone(job)
            }
            session.limitLog(time)
        }
        if writer == nil { close() }
    }

    /// Writes the write-ahead log into the file, and closes it.
    private func close() {
        // In any case the last one to have the file open: only the last one removes an empty log.
        guard let connection = try? session.connection() else { return }
        guard session.file.configuration.access != .reading else { return session.close() }
        connection.keepStatistics()
        sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        session.close()
    }

    private func runAlone(_ job: SQLiteJob) {
        session.limits.job = job
        do {
            let connection = try session.connection()
            try job.perform(connection)
            session.limits.job = nil
            // A transaction that has only begun has committed nothing yet.
            if writer == nil, connection.isIdle { try connection.noteCommit() }
            job.deliver()
            job.sequel?(connection, session.note)
        } catch {
            session.limits.job = nil
            if error is WriterNeeded, let writer {
                if let refusal = writer.put(job) { job.refuse(refusal) }
                return
            }
            session.note(error)
            job.fail(error)
        }
    }

    // MARK: Groups

    /// Runs jobs in one transaction; a job that fails does not affect the others.
    private func commit(_ jobs: [SQLiteJob], _ time: ContinuousClock.Instant) {
        let waiting = jobs.filter { $0.isWanted(at: time) }
        guard !waiting.isEmpty else { return }
        let connection: SQLiteConnection
        do {
            connection = try begin(waiting)
        } catch {
            session.note(error)
            for job in waiting where job.begin(at: time) { job.fail(error) }
            return
        }
        let group = waiting.filter { $0.begin(at: time) }
        switch attempt(group, connection) {
        case .committed(let outcomes):
            for (job, error) in zip(group, outcomes) {
                if let error { job.fail(error) } else { job.deliver() }
            }
        case .undone(let error, let culprit):
            session.note(error)
            for (index, job) in group.enumerated() {
                if culprit == nil || culprit == index {
                    job.fail(error)
                } else {
                    // The others are run again, each by itself.
                    job.becomeQueued()
                    commit([job], time)
                }
            }
        }
    }

    /// Begins a transaction for jobs that wait until it has begun.
    private func begin(_ waiting: [SQLiteJob]) throws -> SQLiteConnection {
        session.limits.waiting = waiting
        defer { session.limits.waiting = [] }
        let connection = try session.connection()
        try connection.execute(cached: "BEGIN IMMEDIATE")
        return connection
    }

    private enum Attempt {
        /// The group is durable, except for the jobs that have an error.
        case committed([(any Error)?])
        /// No job was done, or nobody can know that it was. The second value is the index of the job that caused it:
        /// only that one fails, and the others are run again. It is -1 if nobody knows which one did, so that all are
        /// run again; nil if all fail.
        case undone(any Error, culprit: Int?)
    }

    /// Runs jobs in the transaction that has begun, and ends it.
    private func attempt(_ group: [SQLiteJob], _ connection: SQLiteConnection) -> Attempt {
        defer { if !connection.isIdle { try? connection.execute(cached: "ROLLBACK") } }
        guard !group.isEmpty else { return .committed([]) }
        var outcomes: [(any Error)?] = []
        for (index, job) in group.enumerated() {
            do {
                let error = try run(job, connection, isOnly: group.count == 1)
                // SQLite rolls everything back by itself when it is interrupted, the disk is full, or a trigger says
                // so.
                if let error, connection.isIdle || group.count == 1 { return .undone(error, culprit: index) }
                outcomes.append(error)
            } catch {
                return .undone(error, culprit: nil)
            }
        }
        do {
            try connection.execute(cached: "COMMIT")
        } catch {
            // A deferred constraint failed: nobody knows which job is the cause, so each is tried by itself.
            return .undone(error, culprit: error.isUnavailability || group.count == 1 ? nil : -1)
        }
        do { try connection.noteCommit() } catch { return .undone(error, culprit: nil) }
        return .committed(outcomes)
    }

    /// Runs a job; returns its error, in which case what it did has been undone.
    /// - Throws: An error when it cannot be undone by itself.
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
                try connection.execute(cached: "ROLLBACK TO job")
                try connection.execute(cached: "RELEASE job")
            }
            return error
        }
    }
}

/// A query has turned out to change something.
struct WriterNeeded: Error {}
