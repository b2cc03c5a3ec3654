import Roost

/// Work that goes on when its caller does not: on the same loop, if that runs on one.
enum BackgroundTask {
    @discardableResult
    static func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        guard let loop = EventLoop.current else { return Task { await body() } }
        return Task(executorPreference: loop) { await body() }
    }
}
