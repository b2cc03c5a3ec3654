import Glibc

/// Writes text into HTML so that it stays text, in element content and in quoted attribute values.
///
/// `&`, `<`, `>`, `"` and `'` become character references, and NUL becomes U+FFFD: HTML cannot contain it, and parsers
/// disagree about it (WHATWG HTML §13.2.5). Eight bytes are tested together; without any of the six, which is nearly
/// always, they are copied together.
enum HTMLEscaping {
    /// The most bytes that are escaped before room is made for more.
    private static let chunk = 4096
    /// The most bytes that one byte may become: `&quot;` is the longest reference.
    private static let growth = 6

    /// The number of bytes after a text that ``append(padded:count:to:)`` may read.
    static let padding = 8

    static func append(_ source: UnsafePointer<UInt8>, count: Int, to output: ByteBuffer) {
        append(source, count, to: output) { escape($0, count: $1, to: $2) }
    }

    /// The same for a text that is in larger memory, so that its last bytes can be tested and copied as a word, too.
    static func append(padded source: UnsafePointer<UInt8>, count: Int, to output: ByteBuffer) {
        append(source, count, to: output) { escape(padded: $0, count: $1, to: $2) }
    }

    @inline(__always)
    private static func append(
        _ source: UnsafePointer<UInt8>, _ count: Int, to output: ByteBuffer,
        _ escape: (UnsafePointer<UInt8>, Int, UnsafeMutablePointer<UInt8>) -> Int
    ) {
        var (source, rest) = (source, count)
        repeat {
            let size = min(rest, chunk)
            _ = output.write(upTo: size * growth + 8) { room in
                room.baseAddress.map { escape(source, size, $0) } ?? 0
            }
            source += size
            rest -= size
        } while rest > 0
    }

    @inline(__always)
    private static func escape(
        padded source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let source = UnsafeRawPointer(source)
        let target = UnsafeMutableRawPointer(target)
        var (read, written) = (0, 0)
        while read < count {
            let word = source.loadUnaligned(fromByteOffset: read, as: UInt64.self)
            target.storeBytes(of: word, toByteOffset: written, as: UInt64.self)
            let clean = min(specials(in: word).trailingZeroBitCount &>> 3, count &- read)
            read &+= clean
            written &+= clean
            if clean == 8 || read == count { continue }
            written &+= writeByte(source.load(fromByteOffset: read, as: UInt8.self), target + written)
            read &+= 1
        }
        return written
    }

    /// Escapes `count` bytes into memory with room for six times as many and eight more. Returns how many it wrote.
    @inline(__always)
    private static func escape(
        _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let source = UnsafeRawPointer(source)
        let target = UnsafeMutableRawPointer(target)
        var (read, written) = (0, 0)
        while read &+ 8 <= count {
            let word = source.loadUnaligned(fromByteOffset: read, as: UInt64.self)
            target.storeBytes(of: word, toByteOffset: written, as: UInt64.self)
            let found = specials(in: word)
            if found == 0 {
                read &+= 8
                written &+= 8
                continue
            }
            let clean = found.trailingZeroBitCount &>> 3
            read &+= clean
            written &+= clean
            written &+= writeByte(source.load(fromByteOffset: read, as: UInt8.self), target + written)
            read &+= 1
        }
        while read < count {
            written &+= writeByte(source.load(fromByteOffset: read, as: UInt8.self), target + written)
            read &+= 1
        }
        return written
    }

    /// A word whose lowest set bit is in the first byte that must be escaped; 0 if there is none.
    ///
    /// `"` is 0x22. `&` and `'`, 0x26 and 0x27, differ in one bit, as do `<` and `>`, 0x3C and 0x3E; so a mask without
    /// that bit finds both.
    @inline(__always)
    private static func specials(in word: UInt64) -> UInt64 {
        zeros(word) | zeros(word ^ every(0x22))
            | zeros((word & every(0xFE)) ^ every(0x26))
            | zeros((word & every(0xFD)) ^ every(0x3C))
    }

    @inline(__always)
    private static func every(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

    /// The high bit of each zero byte. After the first zero byte, others may be marked wrongly.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- every(0x01)) & ~word & every(0x80) }

    @inline(__always)
    private static func writeByte(_ byte: UInt8, _ target: UnsafeMutableRawPointer) -> Int {
        switch byte {
        case 0x26: write("&amp;", target)
        case 0x3C: write("&lt;", target)
        case 0x3E: write("&gt;", target)
        case 0x22: write("&quot;", target)
        case 0x27: write("&#39;", target)
        case 0x00: write("\u{FFFD}", target)
        default: writePlain(byte, target)
        }
    }

    @inline(__always)
    private static func writePlain(_ byte: UInt8, _ target: UnsafeMutableRawPointer) -> Int {
        target.storeBytes(of: byte, as: UInt8.self)
        return 1
    }

    @inline(__always)
    private static func write(_ entity: StaticString, _ target: UnsafeMutableRawPointer) -> Int {
        memcpy(target, entity.utf8Start, entity.utf8CodeUnitCount)
        return entity.utf8CodeUnitCount
    }
}
