import Glibc

/// The time as a line of the log carries it (RFC 3339 §5.6), to the millisecond and in UTC: the system need not look up
/// a time zone. All but the milliseconds is written once a second.
struct LogTime: Sendable {
    private var second = Int.min
    private var text: [UInt8] = []

    /// Appends the time of a clock that counts from 1970: `2026-11-22T16:20:31.123Z`.
    mutating func append(_ time: timespec, to line: ByteBuffer) {
        if time.tv_sec != second { write(time.tv_sec) }
        let milliseconds = time.tv_nsec / 1_000_000
        line.append(text)
        for divisor in [100, 10, 1] { line.append(UInt8(ascii: "0") + UInt8(milliseconds / divisor % 10)) }
        line.append(UInt8(ascii: "Z"))
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
