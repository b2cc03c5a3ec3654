import Roost

extension Request {
    /// The name of the client's browser and system, as `User-Agent` tells it, in a few words: `Firefox on Linux`,
    /// `curl`, or `unknown device`.
    var deviceName: String {
        guard let text = headers[.userAgent], !text.isEmpty else { return "unknown device" }
        guard text.hasPrefix("Mozilla/") else { return Self.product(text) }
        let browser = Self.name(in: text, of: Self.browsers) ?? "A browser"
        let system = Self.name(in: text, of: Self.systems)
        return system.map { "\(browser) on \($0)" } ?? browser
    }

    private static func name(in text: String, of products: [(mark: String, name: String)]) -> String? {
        products.first { text.firstRange(of: $0.mark) != nil }?.name
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
