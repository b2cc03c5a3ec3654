// SHA-256 (FIPS 180-4 §6.2). It is implemented here because the framework needs no C library for cryptography, and
// because its uses need nothing beyond a correct result: checksums, the names under which random tokens are stored, and
// signatures of cookies. Its time depends on the length of the text alone: no branch and no table is chosen by a byte.
// Passwords need more, and a library: RoostAuth has one.

/// The SHA-256 hash of bytes.
package enum SHA256 {
    /// The hash as 64 hexadecimal digits.
    package static func hexadecimal(of bytes: some Sequence<UInt8>) -> String { digest(of: bytes).hexadecimal }

    /// The hash of 32 bytes.
    package static func hash(of bytes: some Sequence<UInt8>) -> [UInt8] { digest(of: bytes).bytes }

    /// The code of 32 bytes that proves that who made it has the key (HMAC, RFC 2104 §2).
    package static func authenticationCode(of bytes: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        var block = key.count > 64 ? hash(of: key) : key
        block += repeatElement(0, count: 64 - block.count)
        return hash(of: block.map { $0 ^ 0x5C } + hash(of: block.map { $0 ^ 0x36 } + bytes))
    }

    /// The hash as a value, which takes no memory of its own.
    package static func digest(of bytes: some Sequence<UInt8>) -> SHA256Digest {
        bytes.withContiguousStorageIfAvailable(digest) ?? Array(bytes).withUnsafeBufferPointer(digest)
    }

    private static func digest(_ message: UnsafeBufferPointer<UInt8>) -> SHA256Digest {
        var state = SHA256Digest(
            a: 0x6a09_e667, b: 0xbb67_ae85, c: 0x3c6e_f372, d: 0xa54f_f53a, e: 0x510e_527f, f: 0x9b05_688c,
            g: 0x1f83_d9ab, h: 0x5be0_cd19)
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            var rest = message[...]
            while rest.count >= 64 {
                compress(UnsafeBufferPointer(rebasing: rest.prefix(64)), schedule, &state)
                rest = rest.dropFirst(64)
            }
            // The end: a one, zeros, and the length in bits, in one block or two.
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { end in
                end.initialize(repeating: 0)
                for (index, byte) in rest.enumerated() { end[index] = byte }
                end[rest.count] = 0x80
                let size = rest.count < 56 ? 64 : 128
                let bits = UInt64(message.count) &* 8
                for index in 0..<8 { end[size - 1 - index] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index)) }
                for start in stride(from: 0, to: size, by: 64) {
                    compress(UnsafeBufferPointer(rebasing: end[start..<start + 64]), schedule, &state)
                }
            }
        }
        return state
    }

    private static func compress(
        _ block: UnsafeBufferPointer<UInt8>, _ w: UnsafeMutableBufferPointer<UInt32>, _ state: inout SHA256Digest
    ) {
        let bytes = UnsafeRawBufferPointer(block)
        for t in 0..<16 {
            w[t] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4 * t, as: UInt32.self))
        }
        for t in 16..<64 {
            let s0 = rotated(w[t - 15], 7) ^ rotated(w[t - 15], 18) ^ (w[t - 15] &>> 3)
            let s1 = rotated(w[t - 2], 17) ^ rotated(w[t - 2], 19) ^ (w[t - 2] &>> 10)
            w[t] = w[t - 16] &+ s0 &+ w[t - 7] &+ s1
        }
        var next = state
        constants.withUnsafeBufferPointer { constants in
            for t in 0..<64 { w[t] &+= constants[t] }
        }
        for t in stride(from: 0, to: 64, by: 8) { next.turn(UnsafeMutableBufferPointer(rebasing: w[t..<t + 8])) }
        state.add(next)
    }

    fileprivate static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word &>> count | word &<< (32 &- count)
    }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension SHA256Digest {
    /// Eight of the 64 rounds. Each moves every word by one place; here the words stay, and their names move.
    @inline(__always)
    fileprivate mutating func turn(_ words: UnsafeMutableBufferPointer<UInt32>) {
        Self.turn(a, b, c, &d, e, f, g, &h, words[0])
        Self.turn(h, a, b, &c, d, e, f, &g, words[1])
        Self.turn(g, h, a, &b, c, d, e, &f, words[2])
        Self.turn(f, g, h, &a, b, c, d, &e, words[3])
        Self.turn(e, f, g, &h, a, b, c, &d, words[4])
        Self.turn(d, e, f, &g, h, a, b, &c, words[5])
        Self.turn(c, d, e, &f, g, h, a, &b, words[6])
        Self.turn(b, c, d, &e, f, g, h, &a, words[7])
    }

    @inline(__always)
    private static func turn(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
        _ h: inout UInt32, _ word: UInt32
    ) {
        let s1 = SHA256.rotated(e, 6) ^ SHA256.rotated(e, 11) ^ SHA256.rotated(e, 25)
        h &+= s1 &+ (g ^ (e & (f ^ g))) &+ word
        d &+= h
        let s0 = SHA256.rotated(a, 2) ^ SHA256.rotated(a, 13) ^ SHA256.rotated(a, 22)
        h &+= s0 &+ ((a & b) | (c & (a | b)))
    }

    fileprivate mutating func add(_ other: SHA256Digest) {
        (a, b, c, d) = (a &+ other.a, b &+ other.b, c &+ other.c, d &+ other.d)
        (e, f, g, h) = (e &+ other.e, f &+ other.f, g &+ other.g, h &+ other.h)
    }
}

/// A SHA-256 hash: 32 bytes, in eight words.
package struct SHA256Digest: Hashable, Sendable, BitwiseCopyable {
    var a, b, c, d, e, f, g, h: UInt32

    private func withWords<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let words = (
            a.bigEndian, b.bigEndian, c.bigEndian, d.bigEndian, e.bigEndian, f.bigEndian, g.bigEndian, h.bigEndian
        )
        return withUnsafeBytes(of: words, body)
    }

    /// The 32 bytes.
    package var bytes: [UInt8] { withWords { Array($0) } }

    /// The bytes as 64 hexadecimal digits, in lower case.
    package var hexadecimal: String { withWords { Hexadecimal.text($0) } }
}
