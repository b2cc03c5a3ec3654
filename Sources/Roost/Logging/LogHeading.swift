import Logging

/// The beginning of a logger's lines at one level: the time, the level and who logs. All but the milliseconds is
/// written once a second.
struct LogHeading: Sendable {
    let level: Logger.Level
    let label: String
    let format: LogFormat
    private var second = Int.min
    /// The bytes before the milliseconds, and those after them.
    private var before: [UInt8] = []
    private var after: [UInt8] = []

    init(_ level: Logger.Level, _ label: String, _ format: LogFormat) {
        (self.level, self.label, self.format) = (level, label, format)
    }

    func isOf(_ level: Logger.Level, _ label: String, _ format: LogFormat) -> Bool {
        level == self.level && format == self.format && label == self.label
    }

    /// Begins a line.
    /// - Parameter date: The second as a text that ends where the milliseconds begin.
    mutating func append(
        _ second: Int, _ date: [UInt8], milliseconds: Int, isColored: Bool, to line: ByteBuffer
    ) {
        if second != self.second {
            self.second = second
            write(isColored, date)
        }
        line.append(before)
        LogTime.append(milliseconds: milliseconds, to: line)
        line.append(after)
    }

    private mutating func write(_ isColored: Bool, _ date: [UInt8]) {
        let text = ByteBuffer(capacity: 128)
        var line = LogLine(format, isColored: isColored, to: text)
        var count = 0
        line.begin(level, label) { text in
            text.append(date)
            count = text.count
            text.append(UInt8(ascii: "Z"))
        }
        before = Array(text.written[..<count])
        after = Array(text.written[count...])
    }
}
