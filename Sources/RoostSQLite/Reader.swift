import Roost
internal import RoostSQL

/// A thread that reads.
struct Reader {
    private let queue: JobQueue
    private let writer: JobQueue
    private let session: SQLiteSession

    /// Starts a thread that takes jobs from a queue, and passes those that would write to the writer's queue.
    static func start(_ file: SQLiteFile, _ queue: JobQueue, writer: JobQueue) throws(SystemError) -> LoopThread {
        try LoopThread(name: "roost-sql-read") { Reader(file, queue, writer).run() }
    }

    private init(_ file: SQLiteFile, _ queue: JobQueue, _ writer: JobQueue) {
        self.queue = queue
        self.writer = writer
        session = SQLiteSession(file, .reader)
    }

    private func run() {
        let now = session.file.configuration.now
        while let job = queue.next() {
            guard job.begin(at: now()) else { continue }
            session.limits.job = job
            do {
                try job.perform(session.connection())
                session.limits.job = nil
                job.deliver()
            } catch is WriterNeeded {
                session.limits.job = nil
                passOn(job)
            } catch {
                session.limits.job = nil
                session.note(error)
                job.fail(error)
            }
        }
    }

    private func passOn(_ job: SQLiteJob) {
        job.becomeQueued()
        if let refusal = writer.put(job) { job.refuse(refusal) }
    }
}

/// A query has turned out to change something.
struct WriterNeeded: Error {}
