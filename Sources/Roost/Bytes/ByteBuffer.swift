import Glibc

/// Growable bytes that serializers, encoders and templates write into.
///
/// One owner writes at a time; to share the bytes, copy them first (``bytes``). It is a class so that the containers of
/// an encoder can all append to one place. Its fields skip the run-time exclusivity check because they change many
/// times for each response.
package final class ByteBuffer {
    @exclusivity(unchecked) private(set) var base: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private(set) var capacity: Int
    /// The number of bytes written.
    @exclusivity(unchecked) private(set) var count = 0

    package init(capacity: Int = 1024) {
        self.capacity = max(capacity, 64)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// A copy of the written bytes.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }

    /// The written bytes, valid until the next change.
    var written: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

    /// Forgets the bytes and keeps the memory.
    @inline(__always)
    func removeAll() { count = 0 }

    /// Removes everything written after the first `count` bytes.
    func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count)
        self.count = count
    }

    @inline(__always)
    func append(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count &+= 1
    }

    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        append(source, count: bytes.count)
    }

    @inline(__always)
    func append(_ source: UnsafePointer<UInt8>, count added: Int) {
        reserve(added)
        memcpy(base + count, source, added)
        count &+= added
    }

    /// The number of bytes that ``append(padded:count:)`` may read from the beginning of a text, and write.
    static let padding = 32

    /// Appends bytes from memory in which ``padding`` bytes can be read: mostly four words, whatever there are.
    @inline(__always)
    func append(padded source: UnsafePointer<UInt8>, count added: Int) {
        guard added <= Self.padding else { return append(source, count: added) }
        reserve(Self.padding)
        let (source, target) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(base + count))
        var offset = 0
        while offset < Self.padding {
            let word = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        count &+= added
    }

    /// Appends a text that is probably short: up to 16 bytes are copied as two words, which may overlap.
    @inline(__always)
    func append(short source: UnsafePointer<UInt8>, count added: Int) {
        guard added <= 16 else { return append(source, count: added) }
        reserve(added)
        let (source, target) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(base + count))
        if added >= 8 {
            copyEnds(UInt64.self, source, target, added)
        } else if added >= 4 {
            copyEnds(UInt32.self, source, target, added)
        } else if added >= 2 {
            copyEnds(UInt16.self, source, target, added)
        } else if added == 1 {
            copyEnds(UInt8.self, source, target, added)
        }
        count &+= added
    }

    @inline(__always)
    private func copyEnds<Word: BitwiseCopyable>(
        _ type: Word.Type, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
    ) {
        let end = count &- MemoryLayout<Word>.size
        let first = source.loadUnaligned(as: Word.self)
        let last = source.loadUnaligned(fromByteOffset: end, as: Word.self)
        target.storeBytes(of: first, as: Word.self)
        target.storeBytes(of: last, toByteOffset: end, as: Word.self)
    }

    @inline(__always)
    func append(_ text: StaticString) {
        append(text.utf8Start, count: text.utf8CodeUnitCount)
    }

    /// Appends the UTF-8 of a string.
    @inline(__always)
    func append(_ text: String) {
        if text.utf8.withContiguousStorageIfAvailable({ append($0) }) == nil { append(Array(text.utf8)) }
    }

    func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append($0) }
    }

    func append(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBufferPointer { append($0) }
    }

    /// Appends a number in 16 hexadecimal digits, in lower case.
    func append(hex value: UInt64) {
        _ = write(upTo: 16) { room in
            for place in 0..<16 {
                room[place] = Hexadecimal.digit(UInt8(truncatingIfNeeded: value &>> UInt64(60 - 4 * place)) & 15)
            }
            return 16
        }
    }

    /// Makes room for `added` more bytes.
    @inline(__always)
    func reserve(_ added: Int) {
        if capacity &- count < added { grow(by: added) }
    }

    @inline(never)
    private func grow(by added: Int) {
        let wanted = max(capacity * 2, count + added)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
        capacity = wanted
    }

    /// Releases the memory of an empty buffer that has grown beyond `size`.
    func trim(to size: Int) {
        guard capacity > size, count == 0 else { return }
        base.deallocate()
        base = .allocate(capacity: size)
        capacity = size
    }

    /// Lets `body` write up to `size` bytes at the end; it returns how many it wrote.
    @inline(__always)
    func write(upTo size: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int) -> Int {
        reserve(size)
        let written = body(UnsafeMutableBufferPointer(start: base + count, count: size))
        precondition(written >= 0 && written <= size)
        count += written
        return written
    }
}
