import Roost

/// The cookie by which a device is known again that has signed in to an account: a random number, signed for that
/// account and its password. It says nothing else, gives access to nothing, is worthless once the password has changed
/// or was hashed anew, and lasts 400 days, as long as browsers allow.
struct DeviceCookies: Sendable {
    private let key: SigningKey
    private let isHTTPS: Bool

    init(key: SigningKey, isHTTPS: Bool) {
        self.key = key
        self.isHTTPS = isHTTPS
    }

    private func isSecure(_ request: Request) -> Bool { request.isHTTPS(orElse: isHTTPS) }

    private func name(_ request: Request) -> String { Cookie.hostName("device", isHTTPS: isSecure(request)) }

    /// The device, if it has signed in to the account before, with the password that the account has now.
    func device(of request: Request, for stored: StoredAccount?) -> String? {
        // A long text would take long to check, and tell by that whether there is an account; so would no check.
        guard let text = request.cookie(name(request)), text.utf8.count <= 200 else { return nil }
        let device = key.text(in: text, for: stored.map(Self.purpose) ?? Self.nobody)
        return stored == nil ? nil : device
    }

    /// As long as the purpose of a cookie for an account.
    private static let nobody = String(repeating: " ", count: 120)

    /// The cookie for a device, or for a new one; nil where others could intercept it.
    func cookie(_ device: String?, for stored: StoredAccount, _ request: Request) -> Cookie? {
        guard request.mayKeepCookie(orElse: isHTTPS) else { return nil }
        let value = key.sign(device ?? Hexadecimal.random(), for: Self.purpose(stored))
        return Cookie(
            name: name(request), value: value, maxAge: .seconds(400 * 24 * 3600), isSecure: isSecure(request))
    }

    /// The hash of the password is only signed, never shown.
    private static func purpose(_ stored: StoredAccount) -> String {
        "device of \(stored.account.id) with \(stored.passwordHash)"
    }
}

extension Request {
    /// The name of the client's browser and system, as `User-Agent` tells it, in a few words: `Firefox on Linux`,
    /// `curl`, or `unknown device`.
    var deviceName: String {
        guard let text = headers[.userAgent], !text.isEmpty else { return "unknown device" }
        guard text.utf8.starts(with: "Mozilla/".utf8) else { return Self.product(text) }
        // Anybody may send a long one, and also a refused attempt needs its name.
        let start = text.utf8.prefix(1024)
        let browser = Self.name(in: start, of: Self.browsers) ?? "A browser"
        let system = Self.name(in: start, of: Self.systems)
        return system.map { "\(browser) on \($0)" } ?? browser
    }

    private static func name(in text: Substring.UTF8View, of products: [(mark: String, name: String)]) -> String? {
        products.first { text.firstRange(of: $0.mark.utf8) != nil }?.name
    }

    /// The more special first: each of these names some of those that follow, too.
    private static let browsers: [(mark: String, name: String)] = [
        ("Edg", name: "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS", "Firefox"),
        ("CriOS", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems: [(mark: String, name: String)] = [
        ("iPhone", name: "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
        ("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]

    /// The first product's name (RFC 9110 §10.1.5), at most 40 characters.
    private static func product(_ text: String) -> String {
        let name = text.unicodeScalars.prefix { $0.isASCII && $0.value > 0x20 && $0 != "/" && $0 != "(" }.prefix(40)
        return name.isEmpty ? "unknown device" : String(String.UnicodeScalarView(name))
    }
}
