import Glibc
import Synchronization

/// A few threads for work that blocks, and a bounded queue in front of them.
///
/// Threads are started as they are needed, and end with ``stop()``.
package final class BlockingPool: Sendable {
    private let maximumThreads: Int
    private let maximumQueue: Int
    private let state = Mutex(State())
    private let semaphore = CountingSemaphore()
    private let start: @Sendable (_ body: @escaping @Sendable () -> Void) throws(SystemError) -> Void

    /// Does the work that a caller waits for, or tells the caller why it is not done.
    private typealias Work = @Sendable (_ refusal: (any Error)?) -> Void

    private struct State {
        var queue: [(number: Int, work: Work)] = []
        var threads = 0
        var idle = 0
        var last = 0
        var isStopped = false
    }

    /// No room is left in the queue.
    package struct IsFull: Error {}

    /// A pool without threads yet.
    /// - Parameter start: Starts a thread.
    init(
        threads: Int,
        queue: Int,
        start: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) throws(SystemError) -> Void = {
            (body) throws(SystemError) in try LoopThread(name: "roost-offload", body).detach()
        }
    ) {
        maximumThreads = threads
        maximumQueue = queue
        self.start = start
    }

    /// A pool without threads yet.
    package convenience init(maximumThreads: Int, maximumQueue: Int) {
        self.init(threads: maximumThreads, queue: maximumQueue)
    }

    /// The number of callers that wait for a thread.
    var waitingCount: Int { state.withLock { max(0, $0.queue.count - $0.idle) } }

    /// Runs work on one of the threads; the caller resumes where it was.
    /// - Throws: ``IsFull``; `CancellationError` when the task is cancelled before the work begins, which then never
    ///   begins; ``SystemError`` when there is no thread and none can be started; any error of the work.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
                let isTaken = put(number) { refusal in
                    if let refusal { return continuation.resume(throwing: refusal) }
                    continuation.resume(with: Result { try work() })
                }
                if !isTaken { return continuation.resume(throwing: IsFull()) }
                if Task.isCancelled { withdraw(number) }
            }
        } onCancel: {
            withdraw(number)
        }
    }

    private func put(_ number: Int, _ work: @escaping Work) -> Bool {
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

    /// Drops work that has not begun, and tells its caller.
    private func withdraw(_ number: Int) {
        let withdrawn = state.withLock { state in
            state.queue.firstIndex { $0.number == number }.map { state.queue.remove(at: $0) }
        }
        withdrawn?.work(CancellationError())
    }

    private func startThread() {
        do throws(SystemError) {
            try start { self.work() }
        } catch {
            // The other threads do it; if there are none, nobody does.
            let abandoned = state.withLock { state in
                state.threads -= 1
                state.idle -= 1
                guard state.threads == 0 else { return [] as [Work] }
                defer { state.queue = [] }
                return state.queue.map(\.work)
            }
            for work in abandoned { work(error) }
        }
    }

    private func work() {
        while true {
            semaphore.wait()
            let (next, isOver) = state.withLock { state in
                guard !state.queue.isEmpty else { return (nil as Work?, state.isStopped) }
                state.idle -= 1
                return (state.queue.removeFirst().work, false)
            }
            if isOver { return }
            guard let next else { continue }
            next(nil)
            state.withLock { $0.idle += 1 }
        }
    }

    /// Takes no more work, and ends the threads when the queued work is done.
    package func stop() {
        let threads = state.withLock { state in
            state.isStopped = true
            return state.threads
        }
        for _ in 0..<threads { semaphore.post() }
    }
}
