import Glibc

/// The path of a request during the search for a route: its place in the message, which outlives the search.
struct RequestPath {
    private let base: UnsafePointer<UInt8>
    let start: Int
    private let end: Int
    let isEncoded: Bool

    init(_ request: borrowing Request) {
        let head = request.head
        base = UnsafePointer(request.bytes.base)
        start = Int(head.path.start)
        end = Int(head.path.end)
        isEncoded = head.pathIsEncoded
    }

    var isEmpty: Bool { start == end }

    /// Whether no segment begins at `position`: at the end, and at the one slash of the root.
    func ends(at position: Int, isRoot: Bool) -> Bool { position >= end || isRoot && position + 1 == end }

    /// The segment after a slash.
    func segment(after slash: Int) -> ByteRange {
        guard let next = memchr(base + slash + 1, 0x2F, end - slash - 1) else { return ByteRange(slash + 1, end) }
        return ByteRange(slash + 1, UnsafeRawPointer(base).distance(to: next))
    }

    /// Returns the bytes after a slash.
    func rest(after slash: Int) -> ByteRange { ByteRange(slash + 1, end) }

    func bytes(_ segment: ByteRange) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + Int(segment.start), count: segment.count)
    }

    /// The bytes between the texts around a parameter; nil when the texts do not match, or nothing is between them.
    func value(
        in segment: ByteRange,
        of parameter: RouteLayout.Parameter,
        around texts: UnsafePointer<UInt8>
    ) -> ByteRange? {
        let (prefix, suffix) = (parameter.prefixCount, parameter.suffixCount)
        guard segment.count > prefix + suffix else { return nil }
        if isEncoded, prefix + suffix > 0 {
            return encodedValue(
                in: segment, after: UnsafeBufferPointer(start: texts, count: prefix),
                before: UnsafeBufferPointer(start: texts + prefix, count: suffix))
        }
        let (start, end) = (Int(segment.start), Int(segment.end))
        guard prefix == 0 || memcmp(base + start, texts, prefix) == 0 else { return nil }
        guard suffix == 0 || memcmp(base + end - suffix, texts + prefix, suffix) == 0 else { return nil }
        return ByteRange(start + prefix, end - suffix)
    }

    /// The same in a path with percent signs, where a byte of the texts may be sent as an escape. The parser has let
    /// only whole escapes pass, so a percent sign always begins one.
    private func encodedValue(
        in segment: ByteRange, after prefix: UnsafeBufferPointer<UInt8>, before suffix: UnsafeBufferPointer<UInt8>
    ) -> ByteRange? {
        var (start, end) = (Int(segment.start), Int(segment.end))
        for byte in prefix {
            guard start < end else { return nil }
            let escape = PercentEncoding.escape(at: 0, in: UnsafeBufferPointer(start: base + start, count: end - start))
            guard byte == escape ?? base[start] else { return nil }
            start += escape == nil ? 1 : 3
        }
        for byte in suffix.reversed() {
            guard start < end else { return nil }
            let first = max(start, end - 3)
            let escape = PercentEncoding.escape(at: 0, in: UnsafeBufferPointer(start: base + first, count: end - first))
            guard byte == escape ?? base[end - 1] else { return nil }
            end -= escape == nil ? 1 : 3
        }
        return start < end ? ByteRange(start, end) : nil
    }
}
