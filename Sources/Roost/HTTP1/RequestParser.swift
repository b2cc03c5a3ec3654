import Glibc
import HTTPTypes

// Bytes → a request's head: complete, partial (nil) or invalid (an error), RFC 9112 §3 and §5.
//
// First the parser searches for the end of the head, which the C library does at many bytes a cycle. Only a whole head
// is parsed, so the parser proper has no state, and every line it looks at ends within the head. The head becomes
// places in the bytes, without copies. Strictness is the point: requests are smuggled through bytes that one server
// reads as one request and another as two, so whatever the RFC lets a server refuse is refused.

/// Finds the head of the next request in received bytes.
struct RequestParser: Sendable {
    var limits = HeadLimits()
    /// The number of bytes after the cursor that are known not to contain the end of a head, so that a head that comes
    /// byte by byte is not searched from its start each time.
    private var searched = 0
    /// The number of bytes after the cursor whose lines have been checked, including the request line, and the values
    /// of their fields, so that a head that comes line by line is not read from its start each time.
    private var checked = 0
    private var seen = FieldSummary()

    init(limits: HeadLimits = HeadLimits()) { self.limits = limits }

    /// The head that begins at `cursor`, which then moves past it; nil while it is incomplete.
    mutating func next(in bytes: MessageBytes, at cursor: inout Int) throws(ParseError) -> RequestHead? {
        skipEmptyLines(in: bytes, at: &cursor)
        guard let end = headEnd(in: bytes, from: cursor) else {
            try checkPartial(bytes, from: cursor)
            searched = max(0, bytes.count - cursor - 3)
            return nil
        }
        startAnew()
        var lines = LineScanner(bytes: bytes, position: cursor, end: end)
        let parsed = try parseHead(&lines)
        cursor = end
        return parsed
    }

    /// "A server that is expecting to receive and parse a request-line SHOULD ignore at least one empty line (CRLF)
    /// received prior to the request-line." (RFC 9112 §2.2)
    private mutating func skipEmptyLines(in bytes: MessageBytes, at cursor: inout Int) {
        while bytes.count - cursor >= 2, bytes.base[cursor] == 0x0D, bytes.base[cursor + 1] == 0x0A {
            cursor += 2
            startAnew()
        }
    }

    /// Forgets the checked part of a head, since another head begins at the cursor.
    @inline(__always)
    private mutating func startAnew() {
        searched = 0
        if checked == 0 { return }
        checked = 0
        seen = FieldSummary()
    }

    /// The offset after the empty line that ends the head.
    private func headEnd(in bytes: MessageBytes, from cursor: Int) -> Int? {
        let base = bytes.base
        var start = cursor + searched
        // From line feed to line feed: a head has few lines, and the C library finds one byte faster than four.
        while start < bytes.count, let found = memchr(base + start, 0x0A, bytes.count - start) {
            let feed = UnsafeRawPointer(base).distance(to: found)
            if feed + 2 < bytes.count, base[feed + 1] == 0x0D, base[feed + 2] == 0x0A {
                return feed + 3 - cursor <= limits.head ? feed + 3 : nil
            }
            start = feed + 1
        }
        return nil
    }

    /// Refuses early what can never become a head: too many bytes, something that is not HTTP at all, or an invalid
    /// line. The lines are read as in a whole head, so that the response does not depend on how the bytes were cut.
    private mutating func checkPartial(_ bytes: MessageBytes, from cursor: Int) throws(ParseError) {
        guard cursor < bytes.count else { return }
        let first = bytes.base[cursor]
        guard ByteSet.token.contains(first) || first == 0x0D && cursor + 1 == bytes.count else {
            throw .malformedRequestLine
        }
        let head = UnsafeBufferPointer(start: bytes.base + cursor, count: bytes.count - cursor).prefix(limits.head)
        if let feed = head.dropFirst(searched).lastIndex(of: 0x0A) {
            var lines = LineScanner(bytes: bytes, position: cursor + checked, end: cursor + feed + 1)
            if checked == 0 { _ = try lines.requestLine(limit: limits.requestLine) }
            try noteFields(&lines, in: &seen)
            checked = lines.position - cursor
        }
        let requestLine = head.prefix(limits.requestLine + 2)
        if checked == 0, requestLine.count == limits.requestLine + 2, !requestLine.contains(0x0A) {
            throw requestLine.contains(0x20) ? .requestLineTooLong : .methodTooLong
        }
        if bytes.count - cursor > limits.head { throw .fieldsTooLarge }
    }

    private func parseHead(_ lines: inout LineScanner) throws(ParseError) -> RequestHead {
        var head = try lines.requestLine(limit: limits.requestLine)
        let start = lines.position
        var summary = FieldSummary()
        try noteFields(&lines, in: &summary)
        head.fields = ByteRange(start, lines.position)
        head.nameLengths = summary.nameLengths
        guard head.fields.count <= limits.fields else { throw .fieldsTooLarge }
        let target = try RequestTarget(head.target, of: head.knownMethod, in: lines.bytes)
        head.path = target.path
        head.query = target.query
        head.pathIsEncoded = target.isEncoded
        head.hasDotSegments = target.hasDotSegments
        let isHTTP10 = head.exchange.isHTTP10
        head.authority = try authority(target, summary, lines.bytes, isHTTP10: isHTTP10)
        head.framing = try summary.framing(isHTTP10: isHTTP10)
        head.exchange.persists = summary.persists(isHTTP10: isHTTP10)
        head.expectsContinue = summary.expectsContinue && !isHTTP10
        return head
    }

    @inline(__always)
    private func noteFields(_ lines: inout LineScanner, in summary: inout FieldSummary) throws(ParseError) {
        while let field = try lines.fieldLine() {
            guard summary.count < limits.fieldCount else { throw .fieldsTooLarge }
            try summary.note(field, in: lines.bytes)
        }
    }

    /// The authority: of the target if that is in absolute form, otherwise of `Host`, which must be present in any case
    /// (RFC 9112 §3.2.2).
    private func authority(
        _ target: RequestTarget,
        _ summary: FieldSummary,
        _ bytes: MessageBytes,
        isHTTP10: Bool
    ) throws(ParseError) -> ByteRange {
        if let host = summary.host {
            guard Authority.isValid(bytes.slice(host)) else { throw .malformedHost }
        } else if !isHTTP10 {
            throw .missingHost
        }
        return target.authority ?? summary.host ?? ByteRange(0, 0)
    }
}
