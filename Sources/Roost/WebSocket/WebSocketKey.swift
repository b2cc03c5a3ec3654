/// The key with which a client makes sure that a server means its handshake (RFC 6455 §4.1, §4.2.2).
package enum WebSocketKey {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Whether it is 16 bytes in base64 (§4.2.1).
    static func isValid(_ key: String) -> Bool {
        let key = Array(key.utf8)
        return key.count == 24 && key.suffix(2) == [0x3D, 0x3D] && key.dropLast(2).allSatisfy(alphabet.contains)
    }

    /// The value of `Sec-WebSocket-Accept` for a key (§4.2.2, item 5.4).
    package static func accept(_ key: String) -> String {
        base64(SHA1.digest(Array(key.utf8) + Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    }

    /// A new key.
    package static func random() -> String { base64((0..<16).map { _ in UInt8.random(in: 0...255) }) }

    private static func base64(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place > group.count ? 0x3D : alphabet[bits >> (18 - 6 * place) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
