import Glibc
import Logging

/// The beginning of lines: the time, the level and who logs. All but the milliseconds is written once a second, for as
/// long as the same logger logs at the same level.
struct LogHeading: Sendable {
    private var time = LogTime()
    private var second = Int.min
    private var level = Logger.Level.info
    private var label = ""
    private var format = LogFormat.text
    /// What stands before the milliseconds, and what after them.
    private var before: [UInt8] = []
    private var after: [UInt8] = []

    /// Begins a line.
    /// - Parameter time: Counted from 1970.
    mutating func append(
        _ time: timespec, _ level: Logger.Level, _ label: String, _ format: LogFormat, isColored: Bool,
        to line: ByteBuffer
    ) {
        if time.tv_sec != second || level != self.level || format != self.format || label != self.label {
            (second, self.level, self.label, self.format) = (time.tv_sec, level, label, format)
            write(isColored)
        }
        line.append(before)
        LogTime.append(milliseconds: time.tv_nsec / 1_000_000, to: line)
        line.append(after)
    }

    private mutating func write(_ isColored: Bool) {
        let text = ByteBuffer(capacity: 128)
        var line = LogLine(format, isColored: isColored, to: text)
        var count = 0
        line.begin(level, label) { text in
            text.append(time.untilSecond(second))
            count = text.count
            text.append(UInt8(ascii: "Z"))
        }
        before = Array(text.written[..<count])
        after = Array(text.written[count...])
    }
}
