import Glibc

/// Memory that holds received bytes, shared by the requests that were found in them.
///
/// Bytes are appended after ``count`` by the one connection that reads into it. Bytes that a request has been made from
/// never change again, so the request may keep them and cross threads with them: that is all `@unchecked Sendable`
/// promises here. When the last request has let go, its event loop reads into the same memory again.
package final class MessageBytes: @unchecked Sendable {
    let base: UnsafeMutablePointer<UInt8>
    let capacity: Int
    /// The number of bytes received.
    @exclusivity(unchecked) var count = 0
    /// The part of a memory budget that it takes; nil for the loop's own memory and for small ones.
    let lease: MemoryLease?

    init(capacity: Int, lease: MemoryLease? = nil) {
        self.capacity = capacity
        self.lease = lease
        // `allocate` asks the C library for an alignment, which takes three times as long as not to.
        base = malloc(capacity)?.assumingMemoryBound(to: UInt8.self) ?? .allocate(capacity: capacity)
    }

    /// Bytes in memory of their own, copied from elsewhere.
    package convenience init(copying bytes: UnsafeBufferPointer<UInt8>, capacity: Int = 0, lease: MemoryLease? = nil) {
        self.init(capacity: max(capacity, bytes.count), lease: lease)
        if let source = bytes.baseAddress { base.update(from: source, count: bytes.count) }
        count = bytes.count
    }

    deinit { free(base) }

    /// Appends bytes for which there is room.
    func append(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        guard let source = UnsafeBufferPointer(rebasing: bytes).baseAddress else { return }
        precondition(bytes.count <= capacity - count)
        memcpy(base + count, source, bytes.count)
        count += bytes.count
    }

    func append(_ text: StaticString) { text.withUTF8Buffer { append($0[...]) } }

    /// The bytes of a range that lies within ``count``.
    @inline(__always)
    func slice(_ range: ByteRange) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + Int(range.start), count: range.count)
    }

    /// The range between two offsets without the blanks around it (`OWS`, RFC 9110 §5.6.3).
    @inline(__always)
    func trimmed(_ start: Int, _ end: Int) -> ByteRange {
        var start = start
        var end = max(start, end)
        while start < end, base[start] == 0x20 || base[start] == 0x09 { start += 1 }
        while end > start, base[end - 1] == 0x20 || base[end - 1] == 0x09 { end -= 1 }
        return ByteRange(start, end)
    }

    /// The bytes of a range as text; what is not UTF-8 becomes U+FFFD, as do ``CombiningMarks`` that are too many.
    func text(_ range: ByteRange) -> String {
        let bytes = slice(range)
        let text = String(decoding: bytes, as: UTF8.self)
        return bytes.mayHaveMarks ? CombiningMarks.limited(text) : text
    }
}

/// A place in a ``MessageBytes``.
struct ByteRange: Sendable, Equatable, BitwiseCopyable {
    var start: UInt32
    var end: UInt32

    /// Makes a range; both offsets come from a buffer whose capacity is far below `UInt32.max`.
    @inline(__always)
    init(_ start: Int, _ end: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.end = UInt32(truncatingIfNeeded: end)
    }

    var count: Int { Int(end) &- Int(start) }
    var isEmpty: Bool { start == end }

    /// These bytes, when they are the first of their buffer.
    func first() -> ByteRange { ByteRange(0, count) }

    /// These bytes, when their buffer begins elsewhere.
    func moved(by distance: Int) -> ByteRange { ByteRange(Int(start) + distance, Int(end) + distance) }
}
