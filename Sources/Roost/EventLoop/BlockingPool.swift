import Glibc
import Synchronization

/// A few threads for work that blocks, and a bounded queue in front of them.
///
/// Threads are started as they are needed, and end with ``stop()``.
final class BlockingPool: Sendable {
    private let maximumThreads: Int
    private let maximumQueue: Int
    private let state = Mutex(State())
    private let semaphore = CountingSemaphore()

    private struct State {
        var queue: [(number: Int, work: @Sendable (Bool) -> Void)] = []
        var threads = 0
        var idle = 0
        var last = 0
        var isStopped = false
    }

    /// No room is left in the queue.
    struct IsFull: Error {}

    /// A pool without threads yet.
    init(threads: Int, queue: Int) {
        maximumThreads = threads
        maximumQueue = queue
    }

    /// Runs work on one of the threads; the caller resumes where it was.
    /// - Throws: ``IsFull``; `CancellationError` when the task is cancelled before the work begins, which then never
    ///   does; what the work throws.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
                // The queue holds what has a caller, so it may be told that its work is not wanted any more.
                let isTaken = put(number) { isWanted in
                    continuation.resume(with: Result { try isWanted ? work() : { throw CancellationError() }() })
                }
                if !isTaken { return continuation.resume(throwing: IsFull()) }
                if Task.isCancelled { withdraw(number) }
            }
        } onCancel: {
            withdraw(number)
        }
    }

    private func put(_ number: Int, _ work: @escaping @Sendable (Bool) -> Void) -> Bool {
        let (isTaken, needsThread) = state.withLock { state in
            let isBusy = state.idle <= state.queue.count
            let canGrow = isBusy && state.threads < maximumThreads
            let waiting = state.queue.count - state.idle - (canGrow ? 1 : 0)
            guard !state.isStopped, waiting < maximumQueue else { return (false, false) }
            state.queue.append((number, work))
            if canGrow {
                state.threads += 1
                state.idle += 1
            }
            return (true, canGrow)
        }
        guard isTaken else { return false }
        if needsThread { startThread() }
        semaphore.post()
        return true
    }

    /// Work that has not begun is dropped, and its caller told.
    private func withdraw(_ number: Int) {
        let withdrawn = state.withLock { state in
            state.queue.firstIndex { $0.number == number }.map { state.queue.remove(at: $0) }
        }
        withdrawn?.work(false)
    }

    private func startThread() {
        do throws(SystemError) {
            try LoopThread(name: "roost-offload") { self.work() }.detach()
        } catch {
            // The other threads do it, or there are none and the next one is tried with the next piece of work.
            state.withLock { state in
                state.threads -= 1
                state.idle -= 1
            }
        }
    }

    private func work() {
        while true {
            semaphore.wait()
            let (next, isOver) = state.withLock { state in
                guard !state.queue.isEmpty else { return (nil as (@Sendable (Bool) -> Void)?, state.isStopped) }
                state.idle -= 1
                return (state.queue.removeFirst().work, false)
            }
            if isOver { return }
            guard let next else { continue }
            next(true)
            state.withLock { $0.idle += 1 }
        }
    }

    /// Takes no more work, and ends the threads when that which is there is done.
    func stop() {
        let threads = state.withLock { state in
            state.isStopped = true
            return state.threads
        }
        for _ in 0..<threads { semaphore.post() }
    }
}
