internal import CLinux
import Glibc
import Synchronization

/// SIGTERM and SIGINT: the first asks the servers of this process to end, the second ends the process at once.
///
/// The second does not need an event loop, which may be blocked: the signal handler itself calls `_exit` with 128 and
/// the signal's number, 143 for SIGTERM and 130 for SIGINT, as a shell reports it.
enum EndSignals {
    private static let count = Atomic(0)

    /// Readable from the first signal on; -1 when the system has no descriptor left.
    static let descriptor: Int32 = {
        _ = count.load(ordering: .relaxed)
        let descriptor = eventfd(0, O_NONBLOCK | O_CLOEXEC)
        let action: @convention(c) (Int32) -> Void = { signal in EndSignals.received(signal) }
        for signal in [SIGTERM, SIGINT] { Glibc.signal(signal, action) }
        return descriptor
    }()

    /// Only what a signal handler may do: atomics, `write` and `_exit`.
    private static func received(_ signal: Int32) {
        let code = errno
        defer { errno = code }
        guard count.add(1, ordering: .relaxed).oldValue == 0 else { _exit(128 + signal) }
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }
}
