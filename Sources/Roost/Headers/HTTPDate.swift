import Glibc

/// The date as a message carries it (RFC 9110 §5.6.7), written once a second.
///
///     IMF-fixdate = day-name "," SP date1 SP time-of-day SP GMT       ; Sun, 06 Nov 1994 08:49:37 GMT
package struct HTTPDate {
    private var second = Int.min
    /// The field line with its CRLF.
    private(set) var line: [UInt8] = []

    /// Makes `line` the date for a time in seconds since 1970.
    @inline(__always)
    mutating func update(to second: Int) {
        if second != self.second { write(second) }
    }

    private mutating func write(_ second: Int) {
        self.second = second
        line = Array("Date: \(Self.string(second))\r\n".utf8)
    }

    static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The date for a time in seconds since 1970.
    package static func string(_ second: Int) -> String {
        var time = time_t(second)
        var parts = tm()
        gmtime_r(&time, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let two = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) "
            + "\(parts.tm_year + 1900) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
