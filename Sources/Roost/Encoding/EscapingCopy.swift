/// Copies text, and replaces the bytes that must be escaped.
///
/// Eight bytes are tested together; without any that must be escaped, which is nearly always, they are copied together.
enum EscapingCopy {
    /// The most bytes that are copied before room is made for more.
    private static let chunk = 4096
    /// The most bytes that one byte may become.
    private static let growth = 6

    /// Appends a text.
    /// - Parameters:
    ///   - source: The text. Eight bytes can be read after it.
    ///   - specials: Returns a word whose lowest set bit is in the first byte of a word that must be escaped; 0 if none
    ///     must.
    ///   - escape: Writes what stands for the first byte of a text. Returns how many bytes it has read and written.
    @inline(__always)
    static func append(
        padded source: UnsafePointer<UInt8>, count: Int, to output: ByteBuffer, specials: (UInt64) -> UInt64,
        escape: (UnsafeRawPointer, UnsafeMutableRawPointer) -> (read: Int, written: Int)
    ) {
        let source = UnsafeRawPointer(source)
        var read = 0
        while read < count {
            let end = min(count, read &+ chunk)
            _ = output.write(upTo: (end &- read) &* growth &+ 8) { room in
                guard let target = UnsafeMutableRawPointer(room.baseAddress) else { return 0 }
                var written = 0
                while read < end {
                    let word = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: read, as: UInt64.self))
                    target.storeBytes(of: word.littleEndian, toByteOffset: written, as: UInt64.self)
                    let clean = min(specials(word).trailingZeroBitCount &>> 3, end &- read)
                    read &+= clean
                    written &+= clean
                    if clean == 8 || read == end { continue }
                    let escaped = escape(source + read, target + written)
                    read &+= escaped.read
                    written &+= escaped.written
                }
                return written
            }
        }
    }

    /// A word that has a byte eight times.
    @inline(__always)
    static func every(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

    /// The high bit of each zero byte. After the first zero byte, others may be marked wrongly.
    @inline(__always)
    static func zeros(_ word: UInt64) -> UInt64 { (word &- every(0x01)) & ~word & every(0x80) }

    /// Writes a few bytes. Returns their number.
    @inline(__always)
    static func write(_ text: StaticString, to target: UnsafeMutableRawPointer) -> Int {
        target.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        return text.utf8CodeUnitCount
    }
}
