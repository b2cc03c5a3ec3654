internal import CLibevent
internal import CLinux
import Glibc
import Synchronization

// One thread, one `event_base`: what belongs to a loop is touched by its thread alone. Swift's tasks run here too,
// because the loop is a `TaskExecutor`: a handler that suspends resumes on the thread of its connection. A turn is:
// wait for events, call back for each, go on with what was put off until after them (`afterEvents`), run the jobs that
// have been enqueued meanwhile, and tell the observers of the turn (`afterTurn`).
//
// Other threads reach a loop through its inbox, which has a lock, and wake it with an eventfd of its own, so that
// libevent needs no locks.

/// A thread that waits for events, and runs the tasks of its connections.
///
/// `@unchecked Sendable`: `inbox` is locked, what is immutable may be shared, and the rest is used by the loop's own
/// thread only.
public final class EventLoop: TaskExecutor, @unchecked Sendable {
    let base: OpaquePointer
    /// Runs work that blocks.
    let blockingPool: BlockingPool?
    /// The record of the loop's current work, for ``LoopWatchdog``.
    let activity = LoopActivity()
    private let wakeup: Int32
    private let inbox = Mutex(Inbox())

    // The loop's own thread only:
    @exclusivity(unchecked) private var jobs: [UnownedJob] = []
    @exclusivity(unchecked) private var running: [UnownedJob] = []
    private var isStopping = false
    private var wakeupEvent: IOEvent?
    @exclusivity(unchecked) private var turnObservers: [any TurnObserver] = []
    @exclusivity(unchecked) private var toldObservers: [any TurnObserver] = []
    private var endings: [Ending] = []
    /// The number of endings from which on those are dropped whose owner is gone.
    private var mostEndings = 16

    private struct Ending {
        weak var owner: AnyObject?
        let body: () -> Void
    }
    /// The closures that run after the events.
    @exclusivity(unchecked) private var postponed: [() -> Void] = []
    /// The tasks that wait for an event.
    private var waits: [ObjectIdentifier: LoopWait] = [:]

    private struct Inbox {
        var jobs: [UnownedJob] = []
        var closures: [@Sendable () -> Void] = []
        var isStopping = false
        /// Whether the loop has ended, and takes nothing more.
        var isClosed = false
        /// Whether the loop has been woken since it last emptied the inbox: once is enough for any number of entries.
        var isSignalled = false
    }

    /// A loop that is not running yet.
    /// - Throws: ``SystemError`` when the system refuses an epoll or an eventfd.
    init(blockingPool: BlockingPool? = nil) throws(SystemError) {
        self.blockingPool = blockingPool
        guard let config = event_config_new() else { throw SystemError("event_config_new") }
        defer { event_config_free(config) }
        // The environment must not be able to change how libevent works, and nothing else may touch the base.
        event_config_set_flag(config, Int32(EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_IGNORE_ENV.rawValue))
        // epoll has both; see `ConnectionSocket`.
        event_config_require_features(config, Int32(EV_FEATURE_ET.rawValue | EV_FEATURE_EARLY_CLOSE.rawValue))
        guard let base = event_base_new_with_config(config) else { throw SystemError("event_base_new") }
        self.base = base
        wakeup = eventfd(0, O_NONBLOCK | O_CLOEXEC)
        guard wakeup >= 0 else { throw SystemError("eventfd") }
    }

    deinit {
        wakeupEvent = nil
        close(wakeup)
        event_base_free(base)
    }

    // MARK: Current loop

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The loop that the calling thread runs; nil on any other thread.
    public static var current: EventLoop? {
        pthread_getspecific(key).map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the caller is on this loop's thread.
    @inline(__always)
    package var isCurrent: Bool { pthread_getspecific(Self.key) == Unmanaged.passUnretained(self).toOpaque() }

    // MARK: Work from elsewhere

    /// Takes a task's next piece of work: Swift's concurrency runtime calls this.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent { return jobs.append(job) }
        post { $0.jobs.append(job) }
    }

    /// Runs a closure on the loop's thread, in its next turn; callable from any thread. A loop that has ended does
    /// nothing.
    public func execute(_ body: @escaping @Sendable () -> Void) { submit(body) }

    /// The same; false when the loop has ended, and the closure will never run.
    @discardableResult
    package func submit(_ body: @escaping @Sendable () -> Void) -> Bool { post { $0.closures.append(body) } }

    /// Whether the loop has ended: nothing that is given to it now will ever be done.
    var hasEnded: Bool { inbox.withLock { $0.isClosed } }

    /// Ends ``run()`` after the turn that is under way; callable from any thread.
    func stop() {
        post { $0.isStopping = true }
    }

    @discardableResult
    private func post(_ change: (inout Inbox) -> Void) -> Bool {
        let (isTaken, wakes) = inbox.withLock { inbox in
            guard !inbox.isClosed else { return (false, false) }
            change(&inbox)
            defer { inbox.isSignalled = true }
            return (true, !inbox.isSignalled)
        }
        if wakes {
            var one: UInt64 = 1
            _ = write(wakeup, &one, 8)
        }
        return isTaken
    }

    // MARK: On the loop's own thread

    /// Resumes a task that waits on this loop, and returns when that waits again or is done. Call it on the loop's
    /// thread.
    @inline(__always)
    func resumeNow(_ continuation: UnsafeContinuation<Void, Never>) {
        let count = jobs.count
        continuation.resume()
        // The task is the latest job now, unless it prefers another executor.
        guard jobs.count > count, let job = jobs.popLast() else { return }
        job.runSynchronously(on: asUnownedTaskExecutor())
    }

    /// Runs a closure when the loop has been told to stop, before its last turn; at once if it has been told already.
    /// Call it on the loop's thread.
    /// - Parameter owner: Whoever it is for: once that is gone, it need not be run.
    package func beforeEnd(for owner: AnyObject, _ body: @escaping () -> Void) {
        if isStopping { return body() }
        if endings.count >= mostEndings {
            endings.removeAll { $0.owner == nil }
            mostEndings = max(16, 2 * endings.count)
        }
        endings.append(Ending(owner: owner, body: body))
    }

    /// Keeps a wait until its event has happened; false when the loop ends, so that it never will. Call it on the
    /// loop's thread.
    func keep(_ wait: LoopWait) -> Bool {
        guard !isStopping else { return false }
        waits[ObjectIdentifier(wait)] = wait
        return true
    }

    /// Lets go of a wait that is over.
    func release(_ wait: LoopWait) { waits[ObjectIdentifier(wait)] = nil }

    // MARK: Turns

    /// Runs a closure after this turn's events while they are being handled, otherwise after those of the next turn.
    /// So long work goes on when others have had their part. Call it on the loop's thread only.
    func afterEvents(_ body: @escaping () -> Void) { postponed.append(body) }

    private func runPostponed() {
        guard !postponed.isEmpty else { return }
        let bodies = postponed
        postponed = []
        for body in bodies { body() }
    }

    /// Tells an observer once, when the loop has dealt with everything that it found in this turn; call it on the
    /// loop's thread only. In this way, what many requests of a turn want from another thread is handed over together.
    package func afterTurn(_ observer: any TurnObserver) {
        if !turnObservers.contains(where: { $0 === observer }) { turnObservers.append(observer) }
    }

    private func endTurn() {
        // Their work may give reason to tell others.
        while !turnObservers.isEmpty {
            swap(&turnObservers, &toldObservers)
            for observer in toldObservers { observer.turnEnded() }
            toldObservers.removeAll(keepingCapacity: true)
        }
    }

    // MARK: The loop

    /// The turns that a loop still takes at its end for the tasks that go on. One that never ends, although it was
    /// cancelled, is then left.
    private static let lastTurns = 1000

    private var hasWork: Bool { !jobs.isEmpty || !turnObservers.isEmpty }

    /// Runs the loop on the calling thread until ``stop()``.
    func run() {
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(Self.key, nil) }
        activity.noteThread()
        wakeupEvent = IOEvent(self, wakeup, .readable, isPersistent: true) { [unowned self] _ in takeInbox() }
        wakeupEvent?.add()
        takeInbox()
        var turnsLeft = Self.lastTurns
        while !isStopping || hasWork && turnsLeft > 0 {
            if isStopping { turnsLeft -= 1 }
            runJobs()
            endTurn()
            activity.idle()
            let mayWait = jobs.isEmpty && postponed.isEmpty && !isStopping
            event_base_loop(base, mayWait ? EVLOOP_ONCE : EVLOOP_ONCE | EVLOOP_NONBLOCK)
            runPostponed()
            runJobs()
        }
        wakeupEvent = nil
        end(turnsLeft)
    }

    /// Takes nothing more, and does what has been given to it until now.
    private func end(_ turnsLeft: Int) {
        let rest = emptyInbox(closing: true)
        jobs += rest.jobs
        for closure in rest.closures { closure() }
        for _ in 0..<max(1, turnsLeft) where hasWork {
            runJobs()
            endTurn()
        }
    }

    /// Runs the jobs that are there now. Those that they enqueue wait for the next of the two runs of a turn, and the
    /// loop looks at its sockets in each turn: no task can keep it from these.
    private func runJobs() {
        guard !jobs.isEmpty else { return }
        swap(&jobs, &running)
        let executor = asUnownedTaskExecutor()
        for job in running {
            activity.work()
            job.runSynchronously(on: executor)
        }
        running.removeAll(keepingCapacity: true)
    }

    private func takeInbox() {
        var count: UInt64 = 0
        _ = read(wakeup, &count, 8)
        let taken = emptyInbox()
        jobs += taken.jobs
        for closure in taken.closures {
            activity.work()
            closure()
        }
        if taken.isStopping { beginEnd() }
    }

    private func emptyInbox(closing: Bool = false) -> Inbox {
        inbox.withLock { inbox in
            if closing { inbox.isClosed = true }
            defer { (inbox.jobs, inbox.closures, inbox.isSignalled) = ([], [], false) }
            return inbox
        }
    }

    private func beginEnd() {
        isStopping = true
        let endings = endings
        self.endings = []
        for ending in endings where ending.owner != nil { ending.body() }
        for wait in Array(waits.values) { wait.loopEnds() }
    }
}

/// An object that is told when a loop's turn is over; see ``EventLoop/afterTurn(_:)``.
package protocol TurnObserver: AnyObject {
    /// The turn is over, and the loop is about to wait.
    func turnEnded()
}
