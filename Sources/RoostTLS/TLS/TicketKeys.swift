internal import COpenSSL
import Glibc
import Roost
import Synchronization

/// The keys of session tickets, with which a client that comes back spares both sides most of a handshake (RFC 8446
/// §2.2, RFC 5077).
///
/// Nothing is stored: the keys of each half day follow from a secret by HMAC, so instances with the same secret know
/// each other's tickets, and a key is of no use for long. Tickets of the half day before are taken, and those of the
/// next, because clocks differ.
final class TicketKeys: Sendable {
    private let secret: [UInt8]
    private let now: @Sendable () -> Int
    private let taken = Mutex<[Keys]>([])

    /// The keys of one half day.
    private struct Keys {
        let period: Int
        let name, cipher, code: [UInt8]
    }

    /// The time in seconds for which a ticket is good, and after which another key follows.
    static let lifetime = 43_200

    /// - Parameters:
    ///   - secret: A text that instances share; nil for a random secret, which nobody else knows.
    ///   - now: The seconds since 1970.
    init(secret: String?, now: @escaping @Sendable () -> Int = { time(nil) }) {
        self.now = now
        self.secret =
            secret.map { SHA256.authenticationCode(of: "tickets of TLS".utf8, key: Array($0.utf8)) }
            ?? (0..<32).map { _ in .random(in: .min ... .max) }
    }

    /// A part of the keys of a half day: their name, that of the cipher, or that of the code which authenticates.
    private func key(_ part: String, _ period: Int) -> [UInt8] {
        SHA256.authenticationCode(of: "\(part) \(period)".utf8, key: secret)
    }

    /// The name of a half day's keys, which each ticket begins with.
    func name(_ period: Int) -> [UInt8] { Array(key("name", period).prefix(16)) }

    /// The keys whose tickets are taken now, those of new tickets first. They are made once in a half day.
    private func keys() -> [Keys] {
        let current = now() / Self.lifetime
        return taken.withLock { taken in
            if taken.first?.period != current {
                taken = [current, current - 1, current + 1].map {
                    Keys(period: $0, name: name($0), cipher: key("cipher", $0), code: key("code", $0))
                }
            }
            return taken
        }
    }

    /// The half day whose keys have a name; nil if its tickets are not taken now.
    func period(of name: [UInt8]) -> Int? { keys().first { $0.name == name }?.period }

    /// Prepares to make or to read a ticket, as `SSL_CTX_set_tlsext_ticket_key_evp_cb(3)` describes.
    /// - Returns: 1 for ready, 2 for ready to read a ticket that another one has to follow, 0 for an unknown key.
    func prepare(
        _ ssl: OpaquePointer, _ name: UnsafeMutablePointer<UInt8>, _ iv: UnsafeMutablePointer<UInt8>,
        _ cipher: OpaquePointer?, _ mac: OpaquePointer?, isNew: Bool
    ) -> Int32 {
        let keys = keys()
        guard let current = keys.first else { return -1 }
        guard isNew else {
            let name = UnsafeBufferPointer(start: name, count: 16)
            guard let own = keys.first(where: { name.elementsEqual($0.name) }) else { return 0 }
            let isReady = EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), nil, own.cipher, iv) > 0
            guard isReady, mac_set_sha256(mac, own.code, own.code.count) > 0 else { return -1 }
            // Each ticket is used once, so that nobody on the way sees that two connections belong together.
            return SSL_version(ssl) >= TLS1_3_VERSION || own.period != current.period ? 2 : 1
        }
        guard RAND_bytes(iv, 16) > 0 else { return -1 }
        name.update(from: current.name, count: 16)
        let isReady = EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), nil, current.cipher, iv) > 0
        return isReady && mac_set_sha256(mac, current.code, current.code.count) > 0 ? 1 : -1
    }
}
