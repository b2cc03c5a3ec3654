import Roost

/// The cookie by which a device is known again that has signed in to an account: a random number, signed for that
/// account. It says nothing else, gives access to nothing, and lasts 400 days, as long as browsers allow.
struct DeviceCookies: Sendable {
    private let key: SigningKey
    private let isHTTPS: Bool

    init(key: SigningKey, isHTTPS: Bool) {
        self.key = key
        self.isHTTPS = isHTTPS
    }

    private var name: String { isHTTPS ? "__Host-device" : "device" }

    /// The device, if it has signed in to the account before.
    func device(of request: Request, for email: EmailAddress) -> String? {
        request.cookie(name).flatMap { key.text(in: $0, for: Self.purpose(email)) }
    }

    /// A new random number.
    func newDevice() -> String {
        (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 16) }.joined(separator: "-")
    }

    func cookie(_ device: String, for email: EmailAddress) -> Cookie {
        let value = key.sign(device, for: Self.purpose(email))
        return Cookie(name: name, value: value, maxAge: .seconds(400 * 24 * 3600), isSecure: isHTTPS)
    }

    private static func purpose(_ email: EmailAddress) -> String { "device of \(email.key)" }
}
