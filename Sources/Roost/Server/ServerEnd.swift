internal import CLinux
import Glibc
import Synchronization

/// The end of a server, for which the first SIGTERM, SIGINT or SIGHUP asks, or the program itself.
///
/// A thread of its own waits for the signal: any event loop may be blocked, and a server whose loops are blocked has to
/// end, too.
final class ServerEnd: Sendable {
    private let thread: LoopThread
    private let stopping: Int32
    private let hasStopped = Atomic(false)
    private let (asked, asking) = AsyncStream<Never>.makeStream()

    /// Begins to wait for the signals.
    init() throws(SystemError) {
        let stopping = eventfd(0, O_NONBLOCK | O_CLOEXEC)
        guard stopping >= 0 else { throw SystemError("eventfd") }
        self.stopping = stopping
        let signals = EndSignals.descriptor
        do throws(SystemError) {
            thread = try LoopThread(name: "roost-signals") { [asking] in
                var entries = [signals, stopping].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                while poll(&entries, nfds_t(entries.count), -1) < 0 {}
                if entries[0].revents != 0 { asking.finish() }
            }
        } catch {
            close(stopping)
            throw error
        }
    }

    deinit { stop() }

    /// Asks for the end; callable from any thread, any number of times.
    func ask() { asking.finish() }

    /// Returns when somebody has asked for it; only one task may wait. Then signals are no longer waited for.
    func wait() async {
        for await _ in asked {}
        stop()
    }

    private func stop() {
        guard !hasStopped.exchange(true, ordering: .relaxed) else { return }
        var one: UInt64 = 1
        _ = write(stopping, &one, 8)
        thread.join()
        close(stopping)
    }
}
