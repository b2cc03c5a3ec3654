import HTTPTypes

/// A request target taken apart (RFC 9112 §3.2).
///
///     request-target = origin-form / absolute-form / authority-form / asterisk-form
///     origin-form    = absolute-path [ "?" query ]
///     absolute-form  = absolute-URI
///     asterisk-form  = "*"
///
/// The authority form belongs to CONNECT, which no origin server has to offer; it is refused as malformed.
struct RequestTarget {
    /// Empty for the asterisk form and for an absolute form that ends with its authority.
    private(set) var path = ByteRange(0, 0)
    private(set) var query: ByteRange?
    private(set) var authority: ByteRange?
    private(set) var isEncoded = false
    private(set) var hasDotSegments = false

    init(_ range: ByteRange, of method: HTTPRequest.Method, in bytes: MessageBytes) throws(ParseError) {
        let start = Int(range.start)
        let end = Int(range.end)
        if bytes.base[start] == UInt8(ascii: "/") {
            try takePath(from: start, to: end, bytes)
        } else if bytes.slice(range).isEqual(to: "*") {
            guard method == .options else { throw .malformedTarget }
        } else {
            try takeAbsolute(from: start, to: end, bytes)
        }
    }

    private mutating func takeAbsolute(from start: Int, to end: Int, _ bytes: MessageBytes) throws(ParseError) {
        let schemes: [StaticString] = ["http://", "https://"]
        let length = schemes.map(\.utf8CodeUnitCount).first { length in
            start + length <= end
                && schemes.contains { bytes.slice(ByteRange(start, start + length)).isEqualIgnoringCase(to: $0) }
        }
        guard let length else { throw .malformedTarget }
        var index = start + length
        while index < end, bytes.base[index] != 0x2F, bytes.base[index] != 0x3F { index += 1 }
        let authority = ByteRange(start + length, index)
        guard Authority.isValid(bytes.slice(authority)) else { throw .malformedTarget }
        self.authority = authority
        try takePath(from: index, to: end, bytes)
    }

    /// Checks every byte of path and query, and notes what needs care later: escapes and dot segments.
    private mutating func takePath(from start: Int, to end: Int, _ bytes: MessageBytes) throws(ParseError) {
        let base = bytes.base
        var index = start
        var segment = start + 1
        while index < end, base[index] != UInt8(ascii: "?") {
            let byte = base[index]
            guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#") else { throw .malformedTarget }
            if byte == UInt8(ascii: "/") { segment = index + 1 }
            if byte == UInt8(ascii: "."), index == segment { hasDotSegments = true }
            if byte == UInt8(ascii: "%") {
                try checkEscape(at: index, before: end, bytes, startsSegment: index == segment)
            }
            index += 1
        }
        path = ByteRange(start, index)
        guard index < end else { return }
        query = ByteRange(index + 1, end)
        for byte in bytes.slice(ByteRange(index + 1, end)) {
            guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#") else { throw .malformedTarget }
        }
    }

    /// Refuses an escape that is none, and NUL, which ends a file's name in C (RFC 3986 §2.1, §7.3).
    private mutating func checkEscape(
        at index: Int,
        before end: Int,
        _ bytes: MessageBytes,
        startsSegment: Bool
    ) throws(ParseError) {
        guard index + 2 < end, let high = PercentEncoding.hexValue(bytes.base[index + 1]),
            let low = PercentEncoding.hexValue(bytes.base[index + 2])
        else { throw .malformedTarget }
        let byte = high << 4 | low
        guard byte != 0 else { throw .malformedTarget }
        isEncoded = true
        if startsSegment, byte == UInt8(ascii: ".") { hasDotSegments = true }
    }
}
