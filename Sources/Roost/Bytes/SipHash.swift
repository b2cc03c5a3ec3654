/// SipHash-2-4 of numbers (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012). Without the key, nobody
/// can tell the hashes of 0, 1, 2 … from random numbers, or guess one from others.
struct SipHash: Sendable {
    private let key: (UInt64, UInt64)

    init(key: (UInt64, UInt64)) { self.key = key }

    /// The hash of a number's eight bytes, the lowest first.
    func callAsFunction(_ number: UInt64) -> UInt64 {
        var state = State(key)
        state.take(number)
        state.take(8 << 56)  // the last word: the length in its highest byte, and no bytes that are left
        return state.finish()
    }

    private struct State {
        var v0, v1, v2, v3: UInt64

        init(_ key: (UInt64, UInt64)) {
            v0 = key.0 ^ 0x736F_6D65_7073_6575
            v1 = key.1 ^ 0x646F_7261_6E64_6F6D
            v2 = key.0 ^ 0x6C79_6765_6E65_7261
            v3 = key.1 ^ 0x7465_6462_7974_6573
        }

        @inline(__always)
        mutating func take(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        @inline(__always)
        mutating func finish() -> UInt64 {
            v2 ^= 0xFF
            for _ in 0..<4 { round() }
            return v0 ^ v1 ^ v2 ^ v3
        }

        @inline(__always)
        private mutating func round() {
            v0 &+= v1
            v1 = v1 << 13 | v1 >> 51
            v1 ^= v0
            v0 = v0 << 32 | v0 >> 32
            v2 &+= v3
            v3 = v3 << 16 | v3 >> 48
            v3 ^= v2
            v0 &+= v3
            v3 = v3 << 21 | v3 >> 43
            v3 ^= v0
            v2 &+= v1
            v1 = v1 << 17 | v1 >> 47
            v1 ^= v2
            v2 = v2 << 32 | v2 >> 32
        }
    }
}
