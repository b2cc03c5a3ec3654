import HTTPTypes

/// A cookie that a response sets (RFC 6265bis §4.1).
///
///     set-cookie-string = cookie-name "=" cookie-value *( ";" SP cookie-av )
///
/// It is `HttpOnly`, `SameSite=Lax` and for the whole site unless said otherwise.
public struct Cookie: Sendable, Equatable {
    /// Whether requests that other sites cause carry the cookie.
    public enum SameSite: String, Sendable {
        /// Only when a link is followed to this site.
        case lax = "Lax"
        /// Never.
        case strict = "Strict"
        /// Always; browsers then want ``Cookie/isSecure``.
        case none = "None"
    }

    /// The name, a token.
    public var name: String
    /// The value: visible ASCII characters without quotes, commas, semicolons and backslashes.
    public var value: String
    /// The paths that get it.
    public var path = "/"
    /// How long it lives, in seconds; nil until the browser is closed, 0 removes it.
    public var maxAge: Int?
    /// Whether it travels over HTTPS only.
    public var isSecure = false
    /// Whether scripts cannot read it.
    public var isHTTPOnly = true
    /// Whether requests that other sites cause carry it.
    public var sameSite = SameSite.lax

    /// A cookie with the defaults.
    public init(name: String, value: String, maxAge: Int? = nil, isSecure: Bool = false) {
        self.name = name
        self.value = value
        self.maxAge = maxAge
        self.isSecure = isSecure
    }

    private static let valueBytes = ByteSet { byte in
        byte > 0x20 && byte < 0x7F && !"\",;\\".utf8.contains(byte)
    }

    /// The value of a `Set-Cookie` field.
    /// - Throws: ``MalformedCookie`` for a name, value or path that would change the rest of the field.
    func serialized() throws(MalformedCookie) -> String {
        let bytes = Self.valueBytes
        guard name.isToken, value.utf8.allSatisfy(bytes.contains), path.utf8.allSatisfy(bytes.contains) else {
            throw MalformedCookie(name: name)
        }
        var text = "\(name)=\(value); Path=\(path)"
        if let maxAge { text += "; Max-Age=\(maxAge)" }
        if isSecure { text += "; Secure" }
        if isHTTPOnly { text += "; HttpOnly" }
        return text + "; SameSite=\(sameSite.rawValue)"
    }
}

/// A cookie that cannot be sent.
public struct MalformedCookie: Error, CustomStringConvertible {
    let name: String
    /// What to do about it.
    public var description: String {
        "The cookie \"\(name)\" has a character in its name, value or path that cookies cannot have; encode it first."
    }
}

extension Request {
    /// The first cookie of a name that the client sent; nil when there is none.
    public func cookie(_ name: String) -> String? {
        guard let header = headers[.cookie] else { return nil }
        for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, Substring(parts[0]).trimmingBlanks().utf8.elementsEqual(name.utf8) else { continue }
            return String(Substring(parts[1]).trimmingBlanks())
        }
        return nil
    }
}

extension Response {
    /// Adds a `Set-Cookie` field.
    /// - Throws: ``MalformedCookie`` for a cookie that cannot be sent.
    public mutating func setCookie(_ cookie: Cookie) throws {
        headers.append(.setCookie, try cookie.serialized())
    }
}
