/// Short texts, as most names and many values are: tested and copied as two words, which may overlap.
extension JSONEscaping {
    /// Appends a text of up to sixteen bytes that needs no escape, in quotation marks. Returns false, and appends
    /// nothing, for any other text.
    @inline(__always)
    static func appendShort(_ source: UnsafePointer<UInt8>, count: Int, to buffer: ByteBuffer) -> Bool {
        guard count <= 16 else { return false }
        let size = count &+ 2
        return buffer.write(upTo: size) { room in
            guard let target = room.baseAddress, copyShort(source, count, to: target + 1) else { return 0 }
            target[0] = UInt8(ascii: "\"")
            target[count &+ 1] = UInt8(ascii: "\"")
            return size
        } > 0
    }

    /// Copies up to sixteen bytes if none of them needs an escape.
    @inline(__always)
    private static func copyShort(
        _ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        if count >= 8 { return copy(UInt64.self, source, count, to: target) }
        if count >= 4 { return copy(UInt32.self, source, count, to: target) }
        if count >= 2 { return copy(UInt16.self, source, count, to: target) }
        return count == 0 || copy(UInt8.self, source, count, to: target)
    }

    /// Copies the first and the last bytes, as many as a word has.
    @inline(__always)
    private static func copy<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ type: Word.Type, _ source: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let end = count &- MemoryLayout<Word>.size
        let first = UnsafeRawPointer(source).loadUnaligned(as: Word.self)
        let last = UnsafeRawPointer(source + end).loadUnaligned(as: Word.self)
        guard (JSONWord.special(filled(first)) | JSONWord.special(filled(last))) == 0 else { return false }
        UnsafeMutableRawPointer(target).storeBytes(of: first, as: Word.self)
        UnsafeMutableRawPointer(target + end).storeBytes(of: last, as: Word.self)
        return true
    }

    /// A word of eight bytes: those that a shorter one lacks are blanks, which need no escape.
    @inline(__always)
    private static func filled<Word: FixedWidthInteger & UnsignedInteger>(_ word: Word) -> UInt64 {
        let blanks = 0x2020_2020_2020_2020 as UInt64
        return UInt64(word) | (Word.bitWidth == 64 ? 0 : blanks &<< UInt64(Word.bitWidth))
    }
}
