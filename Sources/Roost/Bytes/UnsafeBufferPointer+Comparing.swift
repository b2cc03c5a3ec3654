import Glibc

extension UnsafeBufferPointer<UInt8> {
    /// Whether these are the bytes of `text`.
    @inline(__always)
    func isEqual(to text: StaticString) -> Bool {
        guard let base = baseAddress else { return text.utf8CodeUnitCount == 0 }
        return count == text.utf8CodeUnitCount && memcmp(base, text.utf8Start, count) == 0
    }

    /// Whether these are the bytes of a lower-case `text`, ignoring the case of letters.
    func isEqualIgnoringCase(to text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in 0..<count {
            let byte = self[index]
            if (byte &- 0x41 < 26 ? byte | 0x20 : byte) != text.utf8Start[index] { return false }
        }
        return true
    }
}
