/// A cookie that a browser can read, but not change: its value is signed (``SigningKey``).
///
///     let theme = SignedCookie("theme", key: key, maxAge: .seconds(365 * 24 * 3600), isHTTPS: true)
///     try theme.set("dusk", on: &response)
///     theme.value(in: request)                    // "dusk"; nil if anyone has made it up, or if it is too old
///
/// It is `HttpOnly; SameSite=Lax` for the whole site, and over HTTPS `Secure`, with a name that begins with `__Host-`:
/// then no other host can have set it (RFC 6265bis §4.1.3.2).
public struct SignedCookie: Sendable {
    /// The name that browsers know it by: `__Host-theme` over HTTPS.
    package let name: String
    private let key: SigningKey
    private let maxAge: Duration?
    private let isHTTPS: Bool
    private let time = TimeSource.current

    /// Creates the cookie of a name.
    /// - Parameters:
    ///   - name: A token, without `__Host-`. It is also the purpose that the value is signed for.
    ///   - maxAge: The time for which the value is accepted, to the second; nil means that the browser forgets it when
    ///     it is closed, and that it is accepted as long as the key is.
    ///   - isHTTPS: Whether browsers reach the site over HTTPS.
    public init(_ name: String, key: SigningKey, maxAge: Duration? = nil, isHTTPS: Bool) {
        self.name = Cookie.hostName(name, isHTTPS: isHTTPS)
        self.key = key
        self.maxAge = maxAge
        self.isHTTPS = isHTTPS
    }

    /// Returns the value that the request brings back; nil if there is none, or it was not set here, or it is too old.
    public func value(in request: Request) -> String? {
        guard let signed = request.cookie(name), let text = key.text(in: signed, for: purpose) else { return nil }
        guard maxAge != nil else { return text }
        guard let space = text.utf8.firstIndex(of: 0x20), let end = Int(text[..<space]), time.secondsSince1970() < end
        else { return nil }
        // A mark at the beginning of the value would be one `Character` with the space.
        return String(Substring(text.utf8[space...].dropFirst()))
    }

    /// Sets the cookie. A value of more than some 2,900 bytes would make it larger than browsers keep.
    /// - Throws: An error for such a value, or a name that is not a token.
    public func set(_ value: String, on response: inout Response) throws {
        let text = maxAge.map { "\(time.secondsSince1970(after: Int($0.components.seconds))) \(value)" } ?? value
        try response.setCookie(cookie(key.sign(text, for: purpose), maxAge))
    }

    /// Makes the browser forget it.
    /// - Throws: An error for a name that is not a token.
    public func remove(from response: inout Response) throws {
        try response.setCookie(cookie("", .zero))
    }

    /// The purpose of the signature. It tells apart values that carry a time, so that none without one is taken for one
    /// with it.
    private var purpose: String { maxAge == nil ? "cookie \(name)" : "cookie with an end \(name)" }

    private func cookie(_ value: String, _ maxAge: Duration?) -> Cookie {
        Cookie(name: name, value: value, maxAge: maxAge, isSecure: isHTTPS)
    }
}
