/// A fingerprint of content: FNV-1a, 64 bits of it. It tells the versions of a file from each other, and no more.
struct Fingerprint {
    /// The number of hexadecimal digits in ``text``.
    static let digits = 16

    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// That of nothing, to begin with.
    init() {}

    init(of bytes: [UInt8]) { bytes.withUnsafeBufferPointer { add($0) } }

    /// Adds the bytes that come next.
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// The fingerprint in hexadecimal digits.
    var text: String { Hexadecimal.text(hash) }
}
