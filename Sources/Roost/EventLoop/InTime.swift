/// Does work that may not take longer than a time, on the caller's event loop. Work that is late is cancelled, and goes
/// on by itself until it reacts to that.
/// - Parameter sleep: Waits for the time. If it throws, the work may take as long as it likes.
/// - Returns: The work's result; nil when the time is over first, or the caller is cancelled.
package func inTime<Value: Sendable>(
    _ limit: Duration,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await EventLoop.pause(for: $0) },
    _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    let (results, result) = AsyncStream<Value?>.makeStream()
    let working = Task(executorPreference: EventLoop.current) { _ = result.yield(await work()) }
    let clock = Task(executorPreference: EventLoop.current) {
        try await sleep(limit)
        result.yield(nil)
    }
    defer {
        clock.cancel()
        working.cancel()
    }
    return await results.first { _ in true } ?? nil
}
