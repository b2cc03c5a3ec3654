import Roost
internal import RoostSQL

/// A thread that reads.
///
/// Each delivery of results wakes an event loop, so several are delivered together: when there is nothing else to do,
/// when enough have come together, or when a statement runs for long.
struct Reader {
    private let queue: JobQueue
    private let writer: JobQueue
    private let session: SQLiteSession

    /// The most results that are held back.
    private static let maximumHeld = 16

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
        let held = HeldResults()
        session.limits.meanwhile = { held.tell() }
        defer { session.limits.meanwhile = {} }
        while let job = queue.next(held.tell) {
            guard job.begin(at: now()) else { continue }
            session.limits.job = job
            do {
                try job.perform(session.connection())
                held.add(job, nil)
            } catch is WriterNeeded {
                passOn(job)
            } catch {
                session.note(error)
                held.add(job, error)
            }
            session.limits.job = nil
            if held.count >= Self.maximumHeld { held.tell() }
        }
    }

    private func passOn(_ job: SQLiteJob) {
        job.becomeQueued()
        if let refusal = writer.put(job) { job.refuse(refusal) }
    }
}

/// A query has turned out to change something.
struct WriterNeeded: Error {}

/// Jobs that are done, whose tasks have not been told yet.
private final class HeldResults {
    private var jobs: [(job: SQLiteJob, error: (any Error)?)] = []

    var count: Int { jobs.count }

    func add(_ job: SQLiteJob, _ error: (any Error)?) { jobs.append((job, error)) }

    func tell() {
        for (job, error) in jobs {
            if let error { job.fail(error) } else { job.deliver() }
        }
        jobs.removeAll(keepingCapacity: true)
    }
}
