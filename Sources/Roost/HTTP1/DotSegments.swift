/// Removes `.` and `..` from a path before it is routed, never above the root (RFC 3986 §5.2.4). The dots may be
/// percent-encoded: `%2e` is the same path (RFC 3986 §6.2.2.2).
enum DotSegments {
    /// The same head in bytes of its own, a copy of it and no more, with the path resolved.
    static func resolved(_ head: RequestHead, in bytes: MessageBytes) -> (RequestHead, MessageBytes) {
        let path = resolved(Array(bytes.slice(head.path)))
        let whole = bytes.slice(ByteRange(head.start, Int(head.fields.end)))
        let copy = MessageBytes(copying: whole, capacity: whole.count + path.count)
        for byte in path {
            copy.base[copy.count] = byte
            copy.count += 1
        }
        var resolved = head.first()
        resolved.path = ByteRange(whole.count, copy.count)
        resolved.hasDotSegments = false
        return (resolved, copy)
    }

    private static func resolved(_ path: [UInt8]) -> [UInt8] {
        var kept: [ArraySlice<UInt8>] = []
        let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        var endsInFolder = false
        for segment in segments {
            let dots = PercentEncoding.decoded(segment)
            let isDot = dots == [UInt8(ascii: ".")]
            let isDotDot = dots == Array("..".utf8)
            if isDotDot { _ = kept.popLast() }
            if !isDot && !isDotDot { kept.append(segment) }
            endsInFolder = isDot || isDotDot
        }
        if endsInFolder { kept.append([]) }
        return kept.flatMap { [UInt8(ascii: "/")] + $0 }
    }
}
