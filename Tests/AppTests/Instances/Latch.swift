import Synchronization

/// Tells a task that something has happened.
final class Latch: Sendable {
    private let state = Atomic(false)

    func open() { state.store(true, ordering: .releasing) }

    func wait() async throws {
        while !state.load(ordering: .acquiring) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
