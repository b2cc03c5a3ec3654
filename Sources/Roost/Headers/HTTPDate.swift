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
        // A year has four digits.
        let year = min(max(parts.tm_year, -1900), 8099) + 1900
        return String(unsafeUninitializedCapacity: 29) { space in
            var end = 0
            func append(_ text: StaticString) {
                text.withUTF8Buffer { for byte in $0 { append(byte) } }
            }
            func append(_ byte: UInt8) {
                space[end] = byte
                end += 1
            }
            func append(two number: Int32, _ separator: StaticString) {
                append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10 % 10))
                append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
                append(separator)
            }
            append(days[Int(parts.tm_wday)])
            append(", ")
            append(two: parts.tm_mday, " ")
            append(months[Int(parts.tm_mon)])
            append(" ")
            append(two: year / 100, "")
            append(two: year % 100, " ")
            append(two: parts.tm_hour, ":")
            append(two: parts.tm_min, ":")
            append(two: parts.tm_sec, " GMT")
            return end
        }
    }

    private static let days: [StaticString] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
}
