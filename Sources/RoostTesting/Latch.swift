import Synchronization

/// A gate that a test opens once, which tells whether it is open, and holds up tasks until then. So a test decides the
/// order of what happens.
package final class Latch: Sendable {
    private let state = Atomic(false)
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() { (stream, continuation) = AsyncStream.makeStream() }

    package var isOpen: Bool { state.load(ordering: .acquiring) }

    package func open() {
        state.store(true, ordering: .releasing)
        continuation.finish()
    }

    /// Returns when the latch is open, or the task is cancelled.
    package func wait() async {
        for await _ in stream {}
    }
}
