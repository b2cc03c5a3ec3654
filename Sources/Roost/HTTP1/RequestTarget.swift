/// A request target split into its parts (RFC 9112 §3.2).
///
///     request-target = origin-form / absolute-form / authority-form / asterisk-form
///     origin-form    = absolute-path [ "?" query ]
///     absolute-form  = absolute-URI
///     asterisk-form  = "*"
///
/// Of the bytes that RFC 3986 forbids in paths and queries, those that browsers send unencoded are let through (WHATWG
/// URL §1.3); the others are refused. The authority form belongs to CONNECT, which no origin server has to offer; it is
/// refused as malformed.
struct RequestTarget {
    /// Empty for the asterisk form, and for the absolute form that means the same (RFC 9112 §3.2.4).
    private(set) var path = ByteRange(0, 0)
    private(set) var query: ByteRange?
    private(set) var authority: ByteRange?
    private(set) var isEncoded = false
    private(set) var hasDotSegments = false

    init(_ range: ByteRange, of method: KnownMethod, in bytes: MessageBytes) throws(ParseError) {
        let start = Int(range.start)
        let end = Int(range.end)
        if bytes.base[start] == UInt8(ascii: "/") {
            try takePath(from: start, to: end, bytes)
        } else if bytes.slice(range).isEqual(to: "*") {
            guard method == .options else { throw .malformedTarget }
        } else {
            try takeAbsolute(from: start, to: end, bytes)
            // An empty path means the root, for which the second slash of `http://` can stand (RFC 9110 §4.2.3).
            if path.isEmpty, method != .options || query != nil, let authority {
                path = ByteRange(Int(authority.start) - 1, Int(authority.start))
            }
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

    private static let pathBytes = ByteSet { byte in
        byte > 0x20 && byte < 0x7F && !"\"#<>\\`{}".utf8.contains(byte)
    }

    private static let queryBytes = ByteSet { byte in
        byte > 0x20 && byte < 0x7F && !"\"#<>".utf8.contains(byte)
    }

    /// Checks every byte of path and query, and records what needs care later: escapes and dot segments.
    private mutating func takePath(from start: Int, to end: Int, _ bytes: MessageBytes) throws(ParseError) {
        let base = bytes.base
        let allowed = Self.pathBytes
        var index = start
        var segment = start + 1
        while index < end {
            let byte = base[index]
            guard allowed.contains(byte) else { throw .malformedTarget }
            // Letters sort after all bytes that have a meaning here.
            if byte < UInt8(ascii: "A") {
                if byte == UInt8(ascii: "?") { break }
                if byte == UInt8(ascii: "/") { segment = index + 1 }
                if byte == UInt8(ascii: "."), index == segment { hasDotSegments = true }
                if byte == UInt8(ascii: "%") {
                    let decoded = try Self.escape(at: index, before: end, bytes)
                    isEncoded = true
                    if decoded == UInt8(ascii: "."), index == segment { hasDotSegments = true }
                }
            }
            index += 1
        }
        path = ByteRange(start, index)
        if index < end { try takeQuery(from: index + 1, to: end, bytes) }
    }

    private mutating func takeQuery(from start: Int, to end: Int, _ bytes: MessageBytes) throws(ParseError) {
        let allowed = Self.queryBytes
        for index in start..<end {
            let byte = bytes.base[index]
            guard allowed.contains(byte) else { throw .malformedTarget }
            if byte == UInt8(ascii: "%") { _ = try Self.escape(at: index, before: end, bytes) }
        }
        query = ByteRange(start, end)
    }

    /// Refuses a malformed escape, and NUL, which ends a file's name in C (RFC 3986 §2.1, §7.3).
    private static func escape(at index: Int, before end: Int, _ bytes: MessageBytes) throws(ParseError) -> UInt8 {
        let rest = bytes.slice(ByteRange(index, end))
        guard let byte = PercentEncoding.escape(at: 0, in: rest), byte != 0 else { throw .malformedEscape }
        return byte
    }
}
