/// The key with which a client makes sure that a server means its handshake (RFC 6455 §4.1, §4.2.2).
package enum WebSocketKey {
    /// Whether it is 16 bytes in base64 (§4.2.1).
    static func isValid(_ key: String) -> Bool {
        let key = Array(key.utf8)
        return key.count == 24 && key.suffix(2) == [0x3D, 0x3D] && key.dropLast(2).allSatisfy(Base64.standard.contains)
    }

    /// The value of `Sec-WebSocket-Accept` for a key (§4.2.2, item 5.4).
    package static func accept(_ key: String) -> String {
        Base64.standard.text(SHA1.digest(Array(key.utf8) + Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    }

    /// A new key.
    package static func random() -> String { Base64.standard.text((0..<16).map { _ in UInt8.random(in: 0...255) }) }
}
