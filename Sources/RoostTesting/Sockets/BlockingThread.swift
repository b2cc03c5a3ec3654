import Roost
import Synchronization

/// A separate thread for one piece of work that blocks.
///
/// Swift's pool has as many threads as the machine has cores, and the server under test runs on them too. A client that
/// blocked one of them could wait for itself.
package enum BlockingThread {
    /// Runs `work` on a new thread and suspends the caller until it is done, or until the caller is cancelled, as a
    /// test is when its time limit passes.
    ///
    /// - Throws: Any error of `work`; `CancellationError` at cancellation. `work` then goes on, though nobody waits for
    ///   it: if it may run forever, it must call ``checkCancellation()`` now and then. If it takes what nobody can take
    ///   again, it must call ``commit()`` first.
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let fate = Fate()
        // Whichever comes first: the end of the work, or the cancellation of the caller.
        let (outcomes, outcome) = AsyncStream<Result<Value, any Error>>.makeStream(
            bufferingPolicy: .bufferingOldest(1))
        let code = start { outcome.yield(Result { try Self.$fate.withValue(fate, operation: work) }) }
        guard code == 0 else { throw WireClientError.systemCall("pthread_create", errno: code) }
        // A task of its own: the caller's cancellation would end the wait for work that is committed.
        let first = Task { await outcomes.first { _ in true } ?? .failure(CancellationError()) }
        return try await withTaskCancellationHandler {
            try await first.value.get()
        } onCancel: {
            if fate.decide(.cancelled) { outcome.yield(.failure(CancellationError())) }
        }
    }

    /// Ends work that nobody waits for any more.
    /// - Throws: `CancellationError` on a thread of ``run(_:)`` whose caller has been cancelled.
    package static func checkCancellation() throws {
        if fate?.isCancelled == true { throw CancellationError() }
    }

    /// Makes sure that the caller gets the result of this work: it is too late to cancel the caller's wait then.
    /// - Throws: `CancellationError` on a thread of ``run(_:)`` whose caller has been cancelled.
    package static func commit() throws {
        if fate?.decide(.committed) == false { throw CancellationError() }
    }

    /// The fate of the work of this thread; nil on threads of others.
    @TaskLocal private static var fate: Fate?

    /// Starts a detached thread that calls `body`; returns 0, or the error number when no thread can be started.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        do throws(SystemError) {
            try LoopThread(name: "roost-test", body).detach()
            return 0
        } catch {
            return error.code
        }
    }

    /// Whether the caller is cancelled before the work is committed, or the other way round.
    private final class Fate: Sendable {
        enum Decision { case open, cancelled, committed }

        private let decision = Mutex(Decision.open)

        var isCancelled: Bool { decision.withLock { $0 == .cancelled } }

        /// Decides, unless that has been done; returns whether it is so now.
        func decide(_ new: Decision) -> Bool {
            decision.withLock { decision in
                if decision == .open { decision = new }
                return decision == new
            }
        }
    }
}
