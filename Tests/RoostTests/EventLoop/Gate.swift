import Glibc
import RoostTesting
import Synchronization

/// Blocks a thread until a test lets it go on, and tells the test that the thread has arrived.
final class Gate: Sendable {
    private let reached: (Int32, Int32)
    private let opened: (Int32, Int32)

    init() {
        reached = Self.pipe()
        opened = Self.pipe()
    }

    deinit {
        for end in [reached.0, reached.1, opened.0, opened.1] where end >= 0 { close(end) }
    }

    /// Blocks until ``open()``.
    func pass() {
        var byte: UInt8 = 0
        _ = write(reached.1, &byte, 1)
        _ = read(opened.0, &byte, 1)
    }

    /// Returns when some thread is at the gate.
    func isReached() async {
        let descriptor = reached.0
        try? await BlockingThread.run {
            var byte: UInt8 = 0
            _ = read(descriptor, &byte, 1)
        }
    }

    /// Lets all threads through, now and from now on.
    func open() {
        var bytes = [UInt8](repeating: 0, count: 100)
        _ = write(opened.1, &bytes, bytes.count)
    }

    private static func pipe() -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        _ = Glibc.pipe(&ends)
        return (ends[0], ends[1])
    }
}
