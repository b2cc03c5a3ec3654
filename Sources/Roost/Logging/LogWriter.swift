internal import CLinux
import Glibc
import Logging
import Synchronization

/// Writes lines to a file descriptor from a thread of its own, so that a full pipe or a slow disk never blocks a loop.
///
/// The first line after a pause goes out at once, and those that follow within the next 50 ms go out together. So a
/// busy server wakes the thread 20 times a second, and not for each line; a crash loses what was logged in that time.
/// Lines that nobody reads are dropped when too many wait, and counted in the next line that goes out.
final class LogWriter: Sendable {
    /// The standard error of this process.
    static let standardError: LogWriter = {
        let writer = LogWriter(STDERR_FILENO)
        // Where no thread can be started, no server can either; what it logs about that is written at the exit.
        try? writer.start()
        atexit { LogWriter.standardError.flush() }
        return writer
    }()

    /// `@unchecked Sendable`: the buffer is used only while the state is locked, or by the one who has taken it out.
    private struct State: @unchecked Sendable {
        var lines = ByteBuffer()
        var headings = LogHeadings()
        var dropped = 0
        /// Of those dropped, how many the metrics have not been told of.
        var uncounted = 0
    }

    private let state = Mutex(State())
    /// Held while lines are written, so that they stay in order.
    private let output = Mutex(())
    private let descriptor: Int32
    private let capacity: Int
    private let isColored: Bool
    private let wakeUp = eventfd(0, O_CLOEXEC)
    private let clock: @Sendable () -> timespec

    /// How long lines are gathered, in milliseconds.
    private static let gatherTime: Int32 = 50
    /// How much a pipe that is ready takes without blocking (`PIPE_BUF`).
    private static let safeSize = 4096
    /// How much is written to a file at once, which is always ready.
    private static let fileSize = 65536

    /// - Parameters:
    ///   - descriptor: Where lines go. It stays open.
    ///   - capacity: How many bytes may wait to be written.
    ///   - clock: The time since 1970.
    init(
        _ descriptor: Int32,
        capacity: Int = 1024 * 1024,
        clock: @escaping @Sendable () -> timespec = LogWriter.systemTime
    ) {
        self.descriptor = descriptor
        self.capacity = capacity
        self.clock = clock
        isColored = isatty(descriptor) == 1 && (ProcessEnvironment.variables["NO_COLOR"] ?? "").isEmpty
    }

    deinit { close(wakeUp) }

    /// The system's clock.
    static func systemTime() -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time
    }

    /// Adds a line.
    /// - Parameter body: Adds the fields that follow the level and the label. It must not log.
    func write(_ level: Logger.Level, _ label: String, _ format: LogFormat, _ body: (inout LogLine) -> Void) {
        let isFirst = state.withLock { state in
            guard state.lines.count < capacity else {
                state.dropped += 1
                state.uncounted += 1
                return false
            }
            defer { append(level, label, format, to: &state, body) }
            return state.lines.count == 0
        }
        guard isFirst else { return }
        var one: UInt64 = 1
        Glibc.write(wakeUp, &one, 8)
    }

    /// How many lines have been dropped since the last call.
    func takeDroppedCount() -> Int { state.withLock { exchange(&$0.uncounted, with: 0) } }

    private func append(
        _ level: Logger.Level, _ label: String, _ format: LogFormat, to state: inout State,
        _ body: (inout LogLine) -> Void
    ) {
        state.headings.append(clock(), level, label, format, isColored: isColored, to: state.lines)
        var line = LogLine(format, to: state.lines, isBegun: true)
        body(&line)
        line.end()
    }

    /// Starts the thread, which then runs for as long as the process.
    func start() throws(SystemError) {
        try LoopThread(name: "roost-log") {
            while true {
                var count: UInt64 = 0
                read(self.wakeUp, &count, 8)
                self.output.withLock { _ in self.writeOut(patience: -1) }
                poll(nil, 0, Self.gatherTime)
            }
        }.detach()
    }

    /// Writes all lines that wait, from this thread, unless nobody reads them: then it gives up after a second.
    func flush() {
        for _ in 0..<100 {
            if output.withLockIfAvailable({ _ in writeOut(patience: 1_000) }) != nil { return }
            poll(nil, 0, 10)
        }
    }

    /// - Parameter patience: How long to wait for the reader, in milliseconds; -1 means for ever.
    private func writeOut(patience: Int32) {
        let (lines, dropped) = state.withLock { state in
            (exchange(&state.lines, with: ByteBuffer()), exchange(&state.dropped, with: 0))
        }
        withExtendedLifetime(lines) { put(lines.written, patience) }
        guard dropped > 0 else { return }
        write(.warning, "roost", .current) {
            $0.field("message", "\(dropped) lines of the log were dropped, because nobody read them in time.")
        }
    }

    /// Whether lines go into a file now; what the descriptor stands for may change.
    private var isFile: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private func put(_ lines: UnsafeBufferPointer<UInt8>, _ patience: Int32) {
        var rest = lines[...]
        let size = isFile ? Self.fileSize : Self.safeSize
        while !rest.isEmpty {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&ready, 1, patience) > 0 else { return }
            let next = UnsafeBufferPointer(rebasing: rest.prefix(size))
            let count = Glibc.write(descriptor, next.baseAddress, next.count)
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
