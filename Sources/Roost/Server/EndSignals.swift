internal import CLinux
import Glibc
import Synchronization

/// SIGTERM and SIGINT: the first one asks the servers of this process to end, the second ends the process at once.
///
/// The second does not need an event loop, which may be blocked: the signal handler itself calls `_exit` with 128 plus
/// the signal's number, 143 for SIGTERM and 130 for SIGINT, as a shell reports it.
///
/// SIGHUP asks for the end as well, unless it is ignored (`nohup`) or has a handler, as that of TLS, which reads files
/// again. It never ends the process at once: a terminal that closes may send several, and systemd one after SIGTERM.
package enum EndSignals {
    typealias Handler = @convention(c) (Int32) -> Void

    // The values that the handler uses. It may interrupt the thread that is making these, and must not wait for that
    // thread: so they are made before the handler is installed.
    private static let count = Atomic(0)
    static let wakeUp = Atomic<Int32>(-1)

    /// Readable after the first signal; -1 when the system has no descriptor left. The first call installs the handler.
    static var descriptor: Int32 {
        _ = installed
        return wakeUp.load(ordering: .relaxed)
    }

    /// The handler never reads this one.
    private static let installed: Void = install()

    /// Makes what the handler uses, and only then installs it.
    /// - Parameter set: Sets a signal's handler. A signal may come before it returns.
    static func install(_ set: (Int32, @escaping Handler) -> Void = { _ = Glibc.signal($0, $1) }) {
        _ = count.load(ordering: .relaxed)
        wakeUp.store(eventfd(0, O_NONBLOCK | O_CLOEXEC), ordering: .relaxed)
        for signal in [SIGTERM, SIGINT] { set(signal) { EndSignals.received($0) } }
        var action = sigaction()
        // No handler is the default action.
        if sigaction(SIGHUP, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil {
            set(SIGHUP) { EndSignals.received($0) }
        }
    }

    /// Lets the signals end a process that does not serve yet, or runs a command, also where it is the first of a
    /// container: for that one, the system drops signals without a handler.
    package static func endFirstProcess() { endFirstProcess(getpid()) }

    /// - Parameter process: The number of this process.
    static func endFirstProcess(_ process: Int32) {
        guard process == 1, wakeUp.load(ordering: .relaxed) == -1 else { return }
        for signal in [SIGTERM, SIGINT] { Glibc.signal(signal) { _exit(128 + $0) } }
    }

    /// Notes a signal, with nothing but what a signal handler may do: atomics, `write` and `_exit`.
    private static func received(_ signal: Int32) {
        let code = errno
        defer { errno = code }
        if signal != SIGHUP, count.add(1, ordering: .relaxed).oldValue > 0 { _exit(128 + signal) }
        var one: UInt64 = 1
        _ = write(wakeUp.load(ordering: .relaxed), &one, 8)
    }
}
