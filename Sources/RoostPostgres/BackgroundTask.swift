import Roost

/// Work that goes on when its caller is cancelled, or has stopped waiting; on the caller's event loop if there is one.
enum BackgroundTask {
    @discardableResult
    static func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        guard let loop = EventLoop.current else { return Task { await body() } }
        return Task(executorPreference: loop) { await body() }
    }

    /// Does something to its end, even if the caller is cancelled meanwhile.
    static func value<Value: Sendable>(
        of body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        return try await Task(executorPreference: EventLoop.current, operation: body).value
    }
}
