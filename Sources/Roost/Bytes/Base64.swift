/// Bytes as text of 64 letters (RFC 4648).
package struct Base64: Sendable {
    /// The letters with `+`, `/` and padding (§4).
    package static let standard = Base64(last: "+/", isPadded: true)
    /// The letters with `-` and `_`, without padding: fit for URLs, cookies and file names (§5).
    package static let url = Base64(last: "-_", isPadded: false)

    private let letters: [UInt8]
    /// The value of each byte; 64 for a byte that is no letter.
    private let values: [UInt8]
    private let isPadded: Bool

    private init(last: String, isPadded: Bool) {
        letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
        var values = [UInt8](repeating: 64, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        self.values = values
        self.isPadded = isPadded
    }

    /// Whether a byte is one of the 64 letters.
    package func contains(_ byte: UInt8) -> Bool { values[Int(byte)] < 64 }

    /// The text of bytes.
    package func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0...group.count { text.append(letters[bits >> (18 - 6 * place) & 63]) }
            if isPadded { text.append(contentsOf: repeatElement(0x3D, count: 3 - group.count)) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; nil unless it is exactly what ``text(_:)`` makes of them (§3.5).
    package func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var (bytes, bits, count): ([UInt8], Int, Int) = ([], 0, 0)
        let text = Array(text)
        let end = isPadded ? text.lastIndex { $0 != 0x3D }.map { $0 + 1 } ?? 0 : text.count
        for byte in text[..<end] {
            guard contains(byte) else { return nil }
            bits = (bits << 6 | Int(values[Int(byte)])) & 0xFF_FFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        guard self.text(bytes).utf8.elementsEqual(text) else { return nil }
        return bytes
    }
}
