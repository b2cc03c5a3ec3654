/// The key with which a client's payload is masked: four bytes, repeated (RFC 6455 §5.3).
struct FrameMask: BitwiseCopyable {
    /// The four bytes in the order of the wire, twice.
    private var key: UInt64

    /// Reads a key of four bytes.
    init(_ bytes: UnsafePointer<UInt8>) {
        let four = UInt64(UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self))
        key = four << 32 | four
    }

    /// Masks or unmasks bytes in place, eight at a time. The key is then where the next bytes of the same frame need
    /// it.
    mutating func apply(to bytes: UnsafeMutableBufferPointer<UInt8>) {
        guard let base = bytes.baseAddress else { return }
        let raw = UnsafeMutableRawPointer(base)
        var offset = 0
        while bytes.count &- offset >= 8 {
            raw.storeBytes(
                of: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ key, toByteOffset: offset,
                as: UInt64.self)
            offset &+= 8
        }
        let rest = bytes.count &- offset
        for index in 0..<rest {
            base[offset &+ index] ^= UInt8(truncatingIfNeeded: key >> UInt64(8 &* index))
        }
        if rest > 0 { key = key >> UInt64(8 &* rest) | key << UInt64(64 &- 8 &* rest) }
    }
}
