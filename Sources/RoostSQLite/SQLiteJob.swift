internal import RoostSQL
import Synchronization

/// Work for a connection's thread, on which one task waits.
///
/// It is queued, and then either runs or is settled without having run: cancelled, or refused since its time is over. A
/// thread that gets to a settled job skips it. Whoever runs or settles it resumes its task.
///
/// `@unchecked Sendable`: the task sets the continuation before the job is queued. After that, only the one that has
/// changed its phase from queued touches its properties; it is passed on under the queue's lock.
class SQLiteJob: @unchecked Sendable {
    /// The job's deadline.
    let deadline: ContinuousClock.Instant
    /// Whether it may share a commit with other jobs.
    let isGrouped: Bool
    /// Whether it ends a transaction.
    let isEnd: Bool
    /// The work that its thread does after the task has been resumed; nil without any.
    let sequel: Sequel?
    private let phase = Atomic(Phase.new)
    private let hasBeenCancelled = Atomic(false)

    /// Work on a connection, with the receiver of its errors.
    typealias Sequel = @Sendable (_ connection: SQLiteConnection, _ note: (any Error) -> Void) -> Void

    private enum Phase: UInt8, AtomicRepresentable {
        case new, queued, running, settled
    }

    init(
        deadline: ContinuousClock.Instant,
        isGrouped: Bool,
        isEnd: Bool,
        sequel: Sequel?
    ) {
        self.deadline = deadline
        self.isGrouped = isGrouped
        self.isEnd = isEnd
        self.sequel = sequel
    }

    /// Whether its task has been cancelled.
    var isCancelled: Bool { hasBeenCancelled.load(ordering: .relaxed) }

    /// Whether it was ended before it ran.
    var isSettled: Bool { phase.load(ordering: .acquiring) == .settled }

    // MARK: For the task

    /// Done by each queue that takes or refuses the job, and before it is run again.
    func becomeQueued() { phase.store(.queued, ordering: .releasing) }

    /// Ends the job if it is not running yet; otherwise it is interrupted soon.
    func cancel() {
        hasBeenCancelled.store(true, ordering: .relaxed)
        if settleQueued() { tell(CancellationError()) }
    }

    /// Fails the job unless it is running or settled.
    func refuse(_ error: DatabaseError) {
        if settleQueued() { tell(error) }
    }

    private func settleQueued() -> Bool {
        phase.compareExchange(expected: .queued, desired: .settled, ordering: .acquiringAndReleasing).exchanged
    }

    // MARK: For the thread

    /// Whether its task still waits for it to run; refuses it when its deadline has passed.
    func isWanted(at now: ContinuousClock.Instant) -> Bool {
        if now >= deadline { refuse(.lateForItsTurn) }
        return !isSettled
    }

    /// Whether to run the job: not when it is settled already, or when its deadline has passed.
    func begin(at now: ContinuousClock.Instant) -> Bool {
        guard isWanted(at: now) else { return false }
        return phase.compareExchange(expected: .queued, desired: .running, ordering: .acquiringAndReleasing).exchanged
    }

    /// Does the work and stores the result.
    func perform(_ connection: SQLiteConnection) throws {}

    /// Resumes the task with the result.
    func deliver() { tell(nil) }

    /// Resumes the task with an error instead of the result.
    func fail(_ error: any Error) {
        guard isCancelled, let error = error as? DatabaseError else { return tell(error) }
        switch error {
        // Its statement was interrupted, or its wait for a lock was.
        case .timeout, .busy: tell(CancellationError())
        default: tell(error)
        }
    }

    /// Resumes the task.
    func tell(_ error: (any Error)?) {}
}

/// A job that produces a value; `@unchecked Sendable` for the same reason as its superclass.
final class SQLiteWork<Value: Sendable>: SQLiteJob, @unchecked Sendable {
    private let work: @Sendable (SQLiteConnection) throws -> Value
    private var value: Value?
    /// Not a checked one, which would be an object of its own: the job settles once, and resumes it then.
    private var continuation: UnsafeContinuation<Value, any Error>?

    init(
        deadline: ContinuousClock.Instant,
        isGrouped: Bool = false,
        isEnd: Bool = false,
        sequel: Sequel? = nil,
        _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) {
        self.work = work
        super.init(deadline: deadline, isGrouped: isGrouped, isEnd: isEnd, sequel: sequel)
    }

    /// Queues the job and waits for its value.
    /// - Parameters:
    ///   - isCancellable: Whether cancelling the task withdraws or interrupts the job.
    ///   - put: Puts the job into a queue, or returns why not.
    func run(isCancellable: Bool = true, _ put: (SQLiteJob) -> DatabaseError?) async throws -> Value {
        guard isCancellable else { return try await wait(isCancellable, put) }
        return try await withTaskCancellationHandler {
            try await wait(isCancellable, put)
        } onCancel: {
            cancel()
        }
    }

    private func wait(_ isCancellable: Bool, _ put: (SQLiteJob) -> DatabaseError?) async throws -> Value {
        try await withUnsafeThrowingContinuation { continuation in
            self.continuation = continuation
            if let refusal = put(self) { return refuse(refusal) }
            // A task that was cancelled before the job was queued has not ended it.
            if isCancellable, Task.isCancelled { cancel() }
        }
    }

    override func perform(_ connection: SQLiteConnection) throws { value = try work(connection) }

    override func tell(_ error: (any Error)?) {
        let continuation = continuation
        self.continuation = nil
        if let error {
            continuation?.resume(throwing: error)
        } else if let value {
            continuation?.resume(returning: value)
        } else {
            continuation?.resume(throwing: DatabaseError.unavailable("the statement has not been run."))
        }
    }
}
