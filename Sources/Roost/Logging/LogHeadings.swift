import Glibc
import Logging

/// The beginnings of lines that are in use: a handful, as programs have few loggers that log often.
struct LogHeadings: Sendable {
    private var time = LogTime()
    private var headings: [LogHeading] = []
    /// The index of the heading that is given up for the next that is not there.
    private var oldest = 0

    private static let most = 8

    /// Begins a line.
    /// - Parameter time: Counted from 1970.
    mutating func append(
        _ time: timespec, _ level: Logger.Level, _ label: String, _ format: LogFormat, isColored: Bool,
        to line: ByteBuffer
    ) {
        let place = headings.firstIndex { $0.isOf(level, label, format) } ?? add(LogHeading(level, label, format))
        let date = self.time.untilSecond(time.tv_sec)
        let milliseconds = time.tv_nsec / 1_000_000
        headings[place].append(time.tv_sec, date, milliseconds: milliseconds, isColored: isColored, to: line)
    }

    private mutating func add(_ heading: LogHeading) -> Int {
        if headings.count < Self.most {
            headings.append(heading)
            return headings.count - 1
        }
        defer { oldest = (oldest + 1) % Self.most }
        headings[oldest] = heading
        return oldest
    }
}
