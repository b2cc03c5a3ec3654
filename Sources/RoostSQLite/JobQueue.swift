import Roost
internal import RoostSQL
import Synchronization

/// A queue of jobs for one or several threads.
///
/// To wake a thread costs a system call. So it is done once for all jobs that an event loop hands over in a turn, and a
/// thread that is awake takes job after job. A thread that takes a job while others wait wakes the next thread, so a
/// long statement never delays a job that another thread could run.
///
/// Jobs that find all threads busy are watched, so that one whose deadline passes fails although no thread gets to it.
/// One task does that for as long as any job waits, instead of a timer for each job.
final class JobQueue: Sendable {
    private let limit: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>
    private let semaphore = CountingSemaphore()

    private struct State {
        var jobs: [SQLiteJob] = []
        var threads: [LoopThread] = []
        var isOpen = false
        /// The number of threads that are asleep.
        var idle = 0
        /// The number of threads that have been woken but have not arrived yet.
        var waking = 0
        /// Whether no task has to begin to watch the jobs that wait: one watches them already, or they need none.
        var isWatched: Bool

        /// Whether a watch must begin: when a job waits and no thread is free.
        mutating func needsWatch() -> Bool {
            guard !isWatched, jobs.count > idle + waking else { return false }
            isWatched = true
            return true
        }

        /// Removes the jobs whose deadline has passed, and those whose tasks no longer wait.
        mutating func takeLate(_ now: ContinuousClock.Instant) -> [SQLiteJob] {
            let late = jobs.filter { $0.deadline <= now }
            jobs.removeAll { $0.deadline <= now || $0.isSettled }
            isWatched = !jobs.isEmpty
            return late
        }

        /// Whether to wake a thread now.
        mutating func wakesOne() -> Bool {
            guard !jobs.isEmpty, idle > 0, waking == 0 else { return false }
            idle -= 1
            waking += 1
            return true
        }
    }

    /// The number of jobs that no thread has taken yet.
    var waitingCount: Int { state.withLock { $0.jobs.count } }

    /// Creates a queue that is closed until ``open()``.
    /// - Parameters:
    ///   - now: The clock of the jobs' deadlines.
    ///   - isWatched: Whether deadlines hold for jobs that wait. False where they hardly wait.
    init(limit: Int, now: @escaping @Sendable () -> ContinuousClock.Instant, isWatched: Bool = true) {
        self.limit = limit
        self.now = now
        state = Mutex(State(isWatched: !isWatched))
    }

    // MARK: For tasks

    /// Adds a job, or returns why not.
    func put(_ job: SQLiteJob) -> DatabaseError? { put(job, limit: limit) }

    /// Adds a job that frees something, however many wait already, or returns why not.
    func putBeyondLimit(_ job: SQLiteJob) -> DatabaseError? { put(job, limit: .max) }

    private func put(_ job: SQLiteJob, limit: Int) -> DatabaseError? {
        job.becomeQueued()
        let (refusal, needsWatch) = state.withLock { state -> (DatabaseError?, Bool) in
            guard state.isOpen else { return (.unavailable(DatabaseError.notOpen), false) }
            guard state.jobs.count < limit else {
                return (.unavailable("\(limit) statements are already waiting."), false)
            }
            state.jobs.append(job)
            return (nil, state.needsWatch())
        }
        if refusal == nil { wakeSoon() }
        if needsWatch { watch() }
        return refusal
    }

    private func wakeSoon() {
        if let loop = EventLoop.current { loop.afterTurn(self) } else { turnEnded() }
    }

    // MARK: Deadlines

    /// The time between two looks at the deadlines of the waiting jobs, and so the most by which one is noticed late.
    private static let watchPause = Duration.milliseconds(100)

    /// Watches the waiting jobs as long as there are any; not on an event loop, since a loop may end before they do.
    private func watch() {
        Task.detached { [self] in
            repeat { try? await Task.sleep(for: Self.watchPause) } while refuseLate()
        }
    }

    /// Fails the jobs whose deadline has passed; false when no job waits any more.
    private func refuseLate() -> Bool {
        let now = now()
        let (late, isWatched) = state.withLock { ($0.takeLate(now), $0.isWatched) }
        for job in late { job.refuse(.lateForItsTurn) }
        return isWatched
    }

    // MARK: Life

    func open() { state.withLock { $0.isOpen = true } }

    /// Whether it has threads that have not been told to end.
    var hasThreads: Bool { state.withLock { !$0.threads.isEmpty } }

    /// Adds a thread that takes its jobs.
    func own(_ thread: LoopThread) { state.withLock { $0.threads.append(thread) } }

    /// Accepts no more jobs; the threads end when the queued ones are done.
    func close() {
        let sleepers = state.withLock { state in
            state.isOpen = false
            defer {
                state.waking += state.idle
                state.idle = 0
            }
            return state.idle
        }
        for _ in 0..<sleepers { semaphore.post() }
    }

    /// Closes the queue, and waits until its threads have ended.
    func end() async {
        close()
        for thread in takeThreads() {
            do { try await offloadOwn { thread.join() } } catch { thread.detach() }
        }
    }

    /// Closes the queue, and lets its threads end by themselves.
    func abandon() {
        close()
        for thread in takeThreads() { thread.detach() }
    }

    private func takeThreads() -> [LoopThread] { state.withLock { exchange(&$0.threads, with: []) } }

    // MARK: For threads

    /// Waits for the next job; nil when the queue is closed and empty, or, for its only thread, when none has come for
    /// too long.
    func next(within limit: Duration? = nil) -> SQLiteJob? {
        var wasWoken = false
        while true {
            let (job, wakesOne, isOver) = state.withLock { state -> (SQLiteJob?, Bool, Bool) in
                if wasWoken { state.waking -= 1 }
                if !state.jobs.isEmpty { return (state.jobs.removeFirst(), state.wakesOne(), false) }
                if !state.isOpen { return (nil, false, true) }
                state.idle += 1
                return (nil, false, false)
            }
            if wakesOne { semaphore.post() }
            if let job { return job }
            if isOver { return nil }
            if let limit {
                guard semaphore.wait(atMost: limit) else { return nil }
            } else {
                semaphore.wait()
            }
            wasWoken = true
        }
    }

    /// The jobs at the head of the queue that can be grouped, for its only thread.
    func nextGrouped(atMost count: Int) -> [SQLiteJob] {
        state.withLock { state in
            let group = Array(state.jobs.prefix(count).prefix { $0.isGrouped })
            state.jobs.removeFirst(group.count)
            return group
        }
    }
}

extension JobQueue: TurnObserver {
    func turnEnded() {
        if state.withLock({ $0.wakesOne() }) { semaphore.post() }
    }
}
