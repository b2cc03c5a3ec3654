/// Does work to its end, on the caller's event loop, even if the caller is cancelled meanwhile, as when a client goes
/// away: work of several steps, or work that must not be lost, such as the end of a session.
/// - Throws: The error of the work.
package func toTheEnd<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await Task(executorPreference: EventLoop.current, operation: work).value
}
