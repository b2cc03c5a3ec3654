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
    package var hexadecimal: String {
        withWords { bytes in
            String(unsafeUninitializedCapacity: 64) { text in
                for (index, byte) in bytes.enumerated() {
                    text[2 * index] = Self.digit(byte >> 4)
                    text[2 * index + 1] = Self.digit(byte & 15)
                }
                return 64
            }
        }
    }

    private static func digit(_ number: UInt8) -> UInt8 { number < 10 ? 0x30 &+ number : 0x57 &+ number }
}
