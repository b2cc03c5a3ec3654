import Glibc
import Logging
import Synchronization

/// Writes lines to a file descriptor from a thread of its own, so that a full pipe or a slow disk never blocks a loop.
///
/// The first line after a pause goes out at once. Those that follow within the next 50 ms go out together, or as soon
/// as they amount to 64 KiB: so a busy server wakes the thread for hundreds of lines at a time, and no write takes the
/// processor from requests for long. A crash loses the lines that still wait. Lines are dropped when too many wait, or
/// when they cannot be written; the lines that go out next are followed by their number.
final class LogWriter: Sendable {
    /// The standard error of this process.
    static let standardError: LogWriter = {
        let writer = LogWriter(STDERR_FILENO)
        // If no thread can be started, no server can either; its lines about that are written at the exit.
        try? writer.start()
        atexit { LogWriter.standardError.flush() }
        return writer
    }()

    /// `@unchecked Sendable`: the buffer is used only while the state is locked, or by the one who has taken it out.
    private struct State: @unchecked Sendable {
        var lines = ByteBuffer()
        /// The memory of lines that have been written, for the next ones.
        var spare: ByteBuffer?
        var dropped = 0
        /// Of those dropped, how many the metrics have not been told of.
        var uncounted = 0
    }

    private let state = Mutex(State())
    /// Held while lines are written, so that they stay in order. Whether the last one that went out was cut off.
    private let output = Mutex(false)
    private let descriptor: Int32
    private let capacity: Int
    private let isColored: Bool
    /// Tells the thread that there is a line again.
    private let wakeUp = CountingSemaphore()
    /// Tells the thread that it need not gather more lines.
    private let batchIsFull = CountingSemaphore()
    private let gatherTime: Int32
    /// The number of bytes with which lines go out before the gather time has passed.
    private let batchSize: Int
    private let clock: @Sendable () -> timespec

    private static let mostBatchSize = 65536
    /// The number of bytes that a pipe which is ready takes without blocking (`PIPE_BUF`).
    private static let safeSize = 4096
    /// The maximum number of bytes written at once to a file, which is always ready.
    private static let fileSize = 65536

    /// - Parameters:
    ///   - descriptor: The file descriptor that lines are written to. It stays open.
    ///   - capacity: The maximum number of bytes that wait to be written.
    ///   - gatherTime: The time in milliseconds for which lines are gathered; -1 means until there is a full batch.
    ///   - clock: The time since 1970.
    init(
        _ descriptor: Int32,
        capacity: Int = 1024 * 1024,
        gatherTime: Int32 = 50,
        clock: @escaping @Sendable () -> timespec = LogWriter.systemTime
    ) {
        self.descriptor = descriptor
        self.capacity = capacity
        self.gatherTime = gatherTime
        batchSize = min(Self.mostBatchSize, capacity)
        self.clock = clock
        isColored = isatty(descriptor) == 1 && (ProcessEnvironment.variables["NO_COLOR"] ?? "").isEmpty
    }

    /// Prints an error to standard error, behind the lines of the log, and ends the process: with the code of an
    /// ``ExitError``, or with 1.
    static func exit(with error: any Error) -> Never {
        standardError.flush()
        let text = "\(error)\n"
        Glibc.write(STDERR_FILENO, text, text.utf8.count)
        Glibc.exit((error as? any ExitError)?.exitCode ?? EXIT_FAILURE)
    }

    /// The system's clock.
    static func systemTime() -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time
    }

    /// Adds a line.
    /// - Parameter body: Adds the fields that follow the level and the label. It must not log.
    func write(_ level: Logger.Level, _ label: String, _ format: LogFormat, _ body: (inout LogLine) -> Void) {
        let (before, after) = state.withLock { state in
            let before = state.lines.count
            if before < capacity {
                append(level, label, format, to: &state, body)
            } else {
                state.dropped += 1
                state.uncounted += 1
            }
            return (before, state.lines.count)
        }
        if before == 0 { wakeUp.post() }
        if before < batchSize, after >= batchSize { batchIsFull.post() }
    }

    /// Returns the number of lines that have been dropped since the last call.
    func takeDroppedCount() -> Int { state.withLock { exchange(&$0.uncounted, with: 0) } }

    private func append(
        _ level: Logger.Level, _ label: String, _ format: LogFormat, to state: inout State,
        _ body: (inout LogLine) -> Void
    ) {
        var line = LogLine(format, isColored: isColored, to: state.lines)
        line.begin(level, label, at: clock())
        body(&line)
        line.end()
    }

    /// Starts the thread, which then runs for as long as the process.
    func start() throws(SystemError) {
        try LoopThread(name: "roost-log") {
            while true {
                self.wakeUp.wait()
                self.output.withLock { self.writeOut(patience: -1, after: &$0) }
                self.gather()
            }
        }.detach()
    }

    /// Waits for a full batch, but no longer than `gatherTime`.
    private func gather() {
        if gatherTime < 0 { return batchIsFull.wait() }
        _ = batchIsFull.wait(atMost: .milliseconds(gatherTime))
    }

    /// Writes all lines that wait, from this thread, unless nobody reads them: then it gives up after a second.
    func flush() {
        for _ in 0..<100 {
            if output.withLockIfAvailable({ writeOut(patience: 1_000, after: &$0) }) != nil { return }
            poll(nil, 0, 10)
        }
    }

    /// - Parameter patience: The time in milliseconds to wait for the reader; -1 means for ever.
    private func writeOut(patience: Int32, after isCut: inout Bool) {
        let (lines, dropped) = state.withLock { takeLines(from: &$0) }
        let lost = withExtendedLifetime(lines) { put(lines.written, patience, after: &isCut) }
        lines.removeAll()
        lines.trim(to: 2 * Self.mostBatchSize)
        state.withLock { state in
            state.spare = lines
            guard lost > 0 else { return }
            // The last line, which told how many were dropped before, is none of the log's own.
            let lost = dropped > 0 ? lost - 1 : lost
            state.dropped += dropped + lost
            state.uncounted += lost
        }
    }

    /// Takes the waiting lines; if some were dropped, a last line says how many.
    private func takeLines(from state: inout State) -> (lines: ByteBuffer, dropped: Int) {
        let dropped = exchange(&state.dropped, with: 0)
        if dropped > 0 {
            append(.warning, "roost", .current, to: &state) {
                $0.field("message", "Lines of the log that could not be written, and were dropped: \(dropped)")
            }
        }
        return (exchange(&state.lines, with: state.spare.take() ?? ByteBuffer()), dropped)
    }

    /// Whether lines go into a file now; what the descriptor stands for may change.
    private var isFile: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Writes lines, after the end of one that was cut off, and returns how many could not be written.
    private func put(_ lines: UnsafeBufferPointer<UInt8>, _ patience: Int32, after isCut: inout Bool) -> Int {
        var rest = lines[...]
        if isCut, !rest.isEmpty { isCut = [Self.newline].withUnsafeBufferPointer { write($0, patience) } == 0 }
        let size = isFile ? Self.fileSize : Self.safeSize
        while !isCut, !rest.isEmpty {
            let count = write(UnsafeBufferPointer(rebasing: rest.prefix(size)), patience)
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        if rest.startIndex > 0 { isCut = lines[rest.startIndex - 1] != Self.newline }
        return rest.count { $0 == Self.newline }
    }

    /// Writes once, and returns how many bytes; 0 if that fails, or the reader takes nothing for too long.
    private func write(_ bytes: UnsafeBufferPointer<UInt8>, _ patience: Int32) -> Int {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&ready, 1, patience) > 0 else { return 0 }
        return max(0, Glibc.write(descriptor, bytes.baseAddress, bytes.count))
    }

    private static let newline = UInt8(ascii: "\n")
}
