import Roost

/// Work that goes on after its caller has stopped waiting; on the caller's event loop if there is one.
enum BackgroundTask {
    @discardableResult
    static func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        guard let loop = EventLoop.current else { return Task { await body() } }
        return Task(executorPreference: loop) { await body() }
    }
}
