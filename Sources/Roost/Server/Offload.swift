import HTTPTypes

/// Runs work that blocks on a thread of its own, and resumes on the event loop that asked for it.
///
///     let hash = try await offload { try hashPassword(text) }
///
/// Use it for reading files, resolving names, hashing passwords: anything that takes more than a few milliseconds
/// without an `await`. There are ``ServerConfiguration/offloadThreads`` threads, and
/// ``ServerConfiguration/maximumOffloadQueue`` callers may wait for one. If the caller's task is cancelled before the
/// work begins, it never begins; once begun, it runs to its end.
/// - Throws: ``HTTPError`` with 503 and `Retry-After` when too many callers wait; `CancellationError`; any error of the
///   work; the system's error when it cannot start a thread, which gets the same response.
public func offload<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await run(work, in: EventLoop.current?.blockingPool ?? OffloadPools.other)
}

/// Runs work of the framework itself on another thread: it does not wait behind the application's.
package func offloadOwn<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await run(work, in: OffloadPools.own)
}

private func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value, in pool: BlockingPool) async throws
    -> Value
{
    do {
        return try await pool.run(work)
    } catch is BlockingPool.IsFull {
        throw HTTPError.workIsWaiting
    }
}

extension HTTPError {
    fileprivate static var workIsWaiting: HTTPError {
        HTTPError(.serviceUnavailable, "Too much work is waiting.", headers: [.retryAfter: "1"])
    }
}

extension SystemError: ResponseError {
    /// 503 when the system has no thread left; another one may end soon.
    package var httpError: HTTPError? { call == "pthread_create" ? .workIsWaiting : nil }
}

private enum OffloadPools {
    /// The pool for the server's own work.
    static let own = BlockingPool(maximumThreads: 2, maximumQueue: 64)
    /// The pool for callers that are not on a server's event loop, such as an unstructured task.
    static let other: BlockingPool = {
        let defaults = ServerConfiguration()
        return BlockingPool(threads: defaults.offloadThreads, queue: defaults.maximumOffloadQueue)
    }()
}
