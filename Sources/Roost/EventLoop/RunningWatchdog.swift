internal import CLinux
import Glibc
import Synchronization

/// A watchdog on a thread of its own, until it is deinitialized.
final class RunningWatchdog: Sendable {
    private let thread: LoopThread
    private let end: Int32

    init(_ watchdog: sending LoopWatchdog) throws(SystemError) {
        let end = eventfd(0, O_CLOEXEC)
        guard end >= 0 else { throw SystemError("eventfd") }
        self.end = end
        let interval = Int32(clamping: Int(watchdog.interval / .milliseconds(1)))
        let start = SuspendingClock.now
        let watchdog = Mutex(watchdog)
        do throws(SystemError) {
            thread = try LoopThread(name: "roost-watchdog") {
                var entry = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
                while poll(&entry, 1, interval) == 0 { watchdog.withLock { $0.look(at: start.duration(to: .now)) } }
            }
        } catch {
            close(end)
            throw error
        }
    }

    deinit {
        var one: UInt64 = 1
        _ = write(end, &one, 8)
        thread.join()
        close(end)
    }
}
