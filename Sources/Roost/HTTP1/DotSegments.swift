/// Removes `.` and `..` from a path before it is routed, never above the root (RFC 3986 §5.2.4). The dots may be
/// percent-encoded: `%2e` is the same path (RFC 3986 §6.2.2.2).
enum DotSegments {
    /// The head in a copy of its bytes, no larger than needed, with the path resolved.
    static func resolved(_ head: RequestHead, in bytes: MessageBytes) -> (RequestHead, MessageBytes) {
        let path = resolved(Array(bytes.slice(head.path)))
        let whole = bytes.slice(ByteRange(head.start, Int(head.fields.end)))
        let copy = MessageBytes(copying: whole, capacity: whole.count + path.count, lease: bytes.lease)
        path.withUnsafeBufferPointer { copy.append($0[...]) }
        var resolved = head.first()
        resolved.path = ByteRange(whole.count, copy.count)
        resolved.hasDotSegments = false
        return (resolved, copy)
    }

    private static func resolved(_ path: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(path.count)
        var rest = path.dropFirst()
        while true {
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            switch dots(rest[..<end]) {
            case 1: break
            case 2: while let byte = kept.popLast(), byte != UInt8(ascii: "/") {}
            default:
                kept.append(UInt8(ascii: "/"))
                kept += rest[..<end]
            }
            if end == rest.endIndex { break }
            rest = rest[(end + 1)...]
        }
        // A path that ends in dots is the path of a folder.
        if dots(rest) != nil { kept.append(UInt8(ascii: "/")) }
        return kept
    }

    /// Returns the number of dots in a dot segment, encoded or not: one or two; nil for any other segment.
    private static func dots(_ segment: ArraySlice<UInt8>) -> Int? {
        var rest = segment
        var count = 0
        while !rest.isEmpty {
            if rest.first == UInt8(ascii: ".") {
                rest = rest.dropFirst()
            } else if rest.first == UInt8(ascii: "%"), PercentEncoding.decoded(rest.prefix(3)).elementsEqual(".".utf8) {
                rest = rest.dropFirst(3)
            } else {
                return nil
            }
            count += 1
        }
        return count == 1 || count == 2 ? count : nil
    }
}
