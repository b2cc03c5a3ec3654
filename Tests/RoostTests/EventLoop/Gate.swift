import Roost
import RoostTesting

/// Blocks a thread until a test lets it go on, and tells the test that the thread has arrived.
final class Gate: Sendable {
    private let reached = CountingSemaphore()
    private let opened = CountingSemaphore()

    /// Blocks until ``open()``.
    func pass() {
        reached.post()
        opened.wait()
    }

    /// Returns when some thread is at the gate.
    func isReached() async {
        try? await BlockingThread.run { [reached] in reached.wait() }
    }

    /// Lets all threads through, now and from now on.
    func open() {
        for _ in 0..<100 { opened.post() }
    }
}
