import Glibc

/// The time as a line of the log carries it (RFC 3339 §5.6), to the millisecond and in UTC: the system need not look up
/// a time zone. All but the milliseconds is written once a second.
struct LogTime: Sendable {
    private var second = Int.min
    private var text: [UInt8] = []

    /// Appends the time of a clock that counts from 1970: `2026-11-22T16:20:31.123Z`.
    mutating func append(_ time: timespec, to line: ByteBuffer) {
        line.append(untilSecond(time.tv_sec))
        Self.append(milliseconds: time.tv_nsec / 1_000_000, to: line)
        line.append(UInt8(ascii: "Z"))
    }

    /// The part that is the same for a whole second: `2026-11-22T16:20:31.`.
    mutating func untilSecond(_ second: Int) -> [UInt8] {
        if second != self.second { write(second) }
        return text
    }

    /// Appends three digits.
    static func append(milliseconds: Int, to line: ByteBuffer) {
        line.reserve(3)
        line.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: milliseconds / 100 % 10))
        line.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: milliseconds / 10 % 10))
        line.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: milliseconds % 10))
    }

    private mutating func write(_ second: Int) {
        self.second = second
        var (time, parts) = (time_t(second), tm())
        gmtime_r(&time, &parts)
        let two = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        text = Array("\(date)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).".utf8)
    }
}
