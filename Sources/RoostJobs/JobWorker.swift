import Logging
import Roost
import RoostSQL
import Synchronization

// One task, on the server's first loop, speaks with the table about jobs: each turn writes what has ended, and takes as
// many jobs as there is room for, in one statement. Schedules and figures have tasks of their own, so that a slow
// statement about them keeps nobody from renewing leases. The jobs run on a loop of their own, so that one that blocks
// holds up other jobs, and neither requests nor the renewal. A job keeps its place until its end is in the table: so
// what might be run twice, after this process was killed, is never more than there are places.

/// Takes jobs from the table and runs them, until it is stopped.
final class JobWorker: Sendable {
    let jobs: Jobs
    let taker: JobTaker
    /// The number of places in each of the taker's queues.
    private let places: [Int]
    let state = Mutex(State())

    struct State {
        var runs: [Int: Run] = [:]
        var lastRun = 0
        /// The outcomes of jobs, until they are in the table; a run that is not over keeps its place even then.
        var ends: [(run: Int, end: JobEnd, isOver: Bool)] = []
        /// The time at which the leases end that were renewed last.
        var leaseEnd = ContinuousClock.now
        /// Whether there may be something to take.
        var hasNews = true
        /// The number of times in a row that something was due, and nothing of it could be taken.
        var misses = 0
        /// Whether the table may have jobs of this instance that it does not run: nobody knows what a claim has taken.
        var mayHoldMore = false
        /// The number of claims in a row that have had no reply that could be read.
        var unreadClaims = 0
        var isWoken = false
        var waiting: CheckedContinuation<Void, Never>?
        /// The time at which what still runs is given back; nil before the drain.
        var drainEnd: ContinuousClock.Instant?
        var isStopping = false

        /// The runs whose jobs have not ended. Of others, the end may still wait to be written.
        var open: [Int: Run] {
            let ended = Set(ends.lazy.filter(\.isOver).map(\.run))
            return runs.filter { !ended.contains($0.key) }
        }

        /// The jobs that this instance has, if the table may have more of it; otherwise nil.
        var known: [Int]? { mayHoldMore ? runs.values.filter { !$0.isGivenUp }.map(\.job.id) : nil }
    }

    struct Run {
        let job: ClaimedJob
        let queue: Int
        let taken = ContinuousClock.now
        let deadline: ContinuousClock.Instant
        var task: Task<Void, Never>?
        /// The reason for which it was cancelled.
        var cause: Cause?
        /// Whether it does not end, and something else becomes of its job meanwhile.
        var isGivenUp = false
    }

    enum Cause: String {
        case late = "its deadline has passed."
        case drained = "the program ends. The job is given back."
        case lost = "its lease has ended, and another instance may run it."
    }

    init(_ jobs: Jobs, queues: [String: Int], lease: Duration) {
        self.jobs = jobs
        let queues = queues.sorted { $0.key < $1.key }
        places = queues.map(\.value)
        taker = JobTaker(jobs.table, names: jobs.kinds.keys.sorted(), queues: queues.map(\.key), lease: lease)
    }

    // MARK: From elsewhere

    /// Looks at the table soon.
    func wake(hasNews: Bool = true) {
        let waiting = state.withLock { state in
            state.isWoken = true
            if hasNews { state.hasNews = true }
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// The free places in each of the taker's queues.
    var room: [Int] { state.withLock { rooms($0) } }

    /// The number of jobs that run, by queue.
    var running: [String: Int] {
        let counts = state.withLock { state in Dictionary(grouping: state.runs.values, by: \.queue).mapValues(\.count) }
        return Dictionary(uniqueKeysWithValues: taker.queues.enumerated().map { ($1, counts[$0] ?? 0) })
    }

    /// Takes nothing more. What runs has until then.
    func drain(until end: ContinuousClock.Instant) {
        state.withLock { $0.drainEnd = $0.drainEnd ?? end }
        wake()
    }

    // MARK: The turns

    /// The time that a run has to end after it was cancelled.
    static let grace = Duration.seconds(5)
    private static let maximumUnreadClaims = 5

    /// Takes jobs, and runs them on a loop, until it is stopped.
    func work(on loop: EventLoop) async {
        var (beat, failures) = (ContinuousClock.now, 0)
        while !isOver {
            var due = beat
            do {
                if beat <= .now {
                    try await renew()
                    beat = .now + taker.lease / 3
                }
                due = beat
                if let wait = try await turn(on: loop) { due = min(due, .now + wait) }
                failures = 0
            } catch {
                if Task.isCancelled { break }
                failures += 1
                if failures == 1 { jobs.logger.warning("Jobs wait for the database: \(LogText.escaped("\(error)"))") }
                due = .now + .milliseconds(100 << min(failures, 4))
                state.withLock { $0.hasNews = true }
            }
            if isOver { break }
            await pause(until: min(due, endOverdue() ?? due), ignoresNews: failures > 0)
            if due <= .now { state.withLock { $0.hasNews = true } }
        }
        await giveBack()
    }

    private var isOver: Bool {
        if Task.isCancelled { return true }
        return state.withLock { state in
            guard let end = state.drainEnd, state.isStopping else { return false }
            return state.runs.isEmpty || end + Self.grace <= .now
        }
    }

    /// Writes what has ended, and takes what there is room for.
    /// - Returns: The time until something else is due; nil if there is no room for it, or no such thing.
    func turn(on loop: EventLoop) async throws -> Duration? {
        let (ends, rooms, hasNews, known) = state.withLock { state in
            defer { (state.isWoken, state.hasNews) = (false, false) }
            return (state.ends, self.rooms(state), state.hasNews, state.known)
        }
        if !ends.isEmpty || known != nil || hasNews && rooms.contains(where: { $0 > 0 }) {
            try await settle(ends, in: table)
            if let known {
                try await table.giveBack(allBut: known, taker.holder)
                state.withLock { $0.mayHoldMore = false }
            }
            let claimed = try await exchange(ends, rooms)
            forget(ends)
            begin(claimed, on: loop)
            if !claimed.isEmpty { state.withLock { $0.misses = 0 } }
        }
        let (left, isWoken) = state.withLock { (self.rooms($0), $0.isWoken) }
        guard !isWoken, left.contains(where: { $0 > 0 }) else { return nil }
        let rest = try await table.nextDue(for: taker, rooms: left)
        return state.withLock { state in
            guard let rest, rest <= .zero else {
                state.misses = 0
                return rest
            }
            // Another instance is taking the jobs that are due already, or somebody has locked their rows for longer.
            defer { state.misses += 1 }
            return .milliseconds(1 << min(state.misses, 10))
        }
    }

    private var table: JobTable { jobs.table }

    private func exchange(
        _ ends: [(run: Int, end: JobEnd, isOver: Bool)], _ rooms: [Int]
    ) async throws -> [ClaimedJob] {
        do {
            let claimed = try await table.exchange(done(ends), for: taker, rooms: rooms)
            state.withLock { $0.unreadClaims = 0 }
            return claimed
        } catch DatabaseError.outcomeUnknown(let reason) {
            // After some in a row, no reply is lost, but one cannot be read: its jobs wait for their lease.
            state.withLock { state in
                state.unreadClaims += 1
                state.mayHoldMore = state.unreadClaims < Self.maximumUnreadClaims
            }
            throw DatabaseError.outcomeUnknown(reason)
        }
    }

    /// The free places in each queue. Those of runs that are over are free: their ends are written by the statement
    /// that takes the next jobs.
    private func rooms(_ state: borrowing State) -> [Int] {
        guard state.drainEnd == nil else { return places.map { _ in 0 } }
        var rooms = places
        for run in state.runs.values { rooms[run.queue] -= 1 }
        for end in state.ends where end.isOver { if let run = state.runs[end.run] { rooms[run.queue] += 1 } }
        return rooms
    }

    func done(_ ends: [(run: Int, end: JobEnd, isOver: Bool)]) -> [Int] {
        state.withLock { state in
            ends.compactMap { if case .done = $0.end { state.runs[$0.run]?.job.id } else { nil } }
        }
    }

    func settle(_ ends: [(run: Int, end: JobEnd, isOver: Bool)], in table: JobTable) async throws {
        let list = state.withLock { state in
            ends.compactMap { end -> (Int, JobEnd)? in
                if case .done = end.end { return nil }
                return state.runs[end.run].flatMap { end.isOver && $0.isGivenUp ? nil : ($0.job.id, end.end) }
            }
        }
        if !list.isEmpty { try await table.settle(list, taker.holder) }
    }

    private func forget(_ ends: [(run: Int, end: JobEnd, isOver: Bool)]) {
        state.withLock { state in
            state.ends.removeFirst(ends.count)
            for end in ends where end.isOver { state.runs[end.run] = nil }
        }
    }

    // MARK: Runs

    private func begin(_ claimed: [ClaimedJob], on loop: EventLoop) {
        let new = state.withLock { state in
            claimed.compactMap { job -> (Int, ClaimedJob, JobKind)? in
                // One that runs here was due because its lease had ended: it goes on.
                guard !state.runs.values.contains(where: { $0.job.id == job.id && !$0.isGivenUp }),
                    let queue = taker.queues.firstIndex(of: job.queue), let kind = jobs.kinds[job.name]
                else { return nil }
                state.lastRun += 1
                state.runs[state.lastRun] = Run(job: job, queue: queue, deadline: .now + kind.deadline)
                return (state.lastRun, job, kind)
            }
        }
        guard !new.isEmpty else { return }
        // All in one turn of that loop, so that those that end at once are told together.
        loop.execute { [self] in
            for (number, job, kind) in new {
                let task = Task(executorPreference: loop) { await self.run(number, job, kind) }
                let isCancelled = state.withLock { state in
                    state.runs[number]?.task = task
                    return state.runs[number]?.cause != nil
                }
                if isCancelled { task.cancel() }
            }
        }
    }

    private func run(_ number: Int, _ job: ClaimedJob, _ kind: JobKind) async {
        let start = ContinuousClock.now
        let isTaken = state.withLock { $0.runs[number]?.cause == nil }
        var end = isTaken ? await kind.run(job, of: taker.holder, jobs, jobs.logger) : .givenBack
        state.withLock { state in
            if case .done = end {
            } else if let cause = state.runs[number]?.cause {
                end = cancelled(cause, job, kind, hasBegun: isTaken)
            }
            state.ends.append((number, end, true))
        }
        jobs.report(job, end, start.duration(to: .now))
        if let loop = EventLoop.current { loop.afterTurn(self) } else { wake(hasNews: false) }
    }

    /// The end of a job that was cancelled. A try that has outlived its lease counts: the next one may do so again, as
    /// one that keeps SQLite's only writer to itself.
    func cancelled(_ cause: Cause, _ job: ClaimedJob, _ kind: JobKind, hasBegun: Bool = true) -> JobEnd {
        switch cause {
        case .drained: .givenBack
        case .late: late(job, kind)
        case .lost: hasBegun ? kind.failed(job, "Its lease ended before it did.") : .givenBack
        }
    }

    func late(_ job: ClaimedJob, _ kind: JobKind) -> JobEnd {
        kind.failed(job, "It took longer than its deadline of \(kind.deadline).")
    }

    /// Renews the leases of what runs.
    private func renew() async throws {
        let (held, start) = state.withLock { state in
            (state.runs.values.filter { !$0.isGivenUp }.map(\.job.id), ContinuousClock.now)
        }
        if !held.isEmpty {
            let lost = Set(held).subtracting(try await table.renew(held, for: taker))
            // One that has ended meanwhile is not in the table any more.
            cancel(.lost) { lost.contains($0.job.id) && !$0.isGivenUp }
        }
        state.withLock { $0.leaseEnd = start + taker.lease }
    }
}
