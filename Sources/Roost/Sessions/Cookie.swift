import FoundationEssentials
import HTTPTypes

/// A cookie that a response sets (RFC 6265bis §4.1).
///
///     set-cookie-string = cookie-name "=" cookie-value *( ";" SP cookie-av )
///
/// It is `HttpOnly`, `SameSite=Lax` and for the whole site unless stated otherwise. Setting a cookie that browsers
/// would refuse throws an error that says why (RFC 6265bis §4.1.3, §5.7).
public struct Cookie: Sendable, Equatable {
    /// Whether requests caused by other sites carry the cookie.
    public enum SameSite: String, Sendable {
        /// Browsers send the cookie from other sites only when a link to this site is followed.
        case lax = "Lax"
        /// Browsers never send it with requests that other sites cause.
        case strict = "Strict"
        /// Browsers always send it; needs ``Cookie/isSecure``.
        case none = "None"
    }

    /// The name, a token.
    public var name: String
    /// The value: visible ASCII characters without quotes, commas, semicolons and backslashes.
    public var value: String
    /// The path for which browsers send it, including all paths below it.
    public var path = "/"
    /// The host that gets it, along with all its subdomains, such as `example.com`; nil for only the host that sets it,
    /// which is safer.
    public var domain: String?
    /// The date on which browsers delete it, to the second; ``maxAge`` takes precedence (RFC 6265bis §5.7). It depends
    /// on the browser's clock, and is only for browsers that do not know `Max-Age`.
    public var expires: Date?
    /// The time after which browsers delete it, to the second; nil means when the browser is closed, zero removes it
    /// (RFC 6265bis §5.6.2).
    public var maxAge: Duration?
    /// Whether browsers send it over HTTPS only.
    public var isSecure = false
    /// Whether scripts cannot read it.
    public var isHTTPOnly = true
    /// Whether requests caused by other sites carry it.
    public var sameSite = SameSite.lax

    /// A cookie with the defaults.
    public init(name: String, value: String, maxAge: Duration? = nil, isSecure: Bool = false) {
        self.name = name
        self.value = value
        self.maxAge = maxAge
        self.isSecure = isSecure
    }

    /// The name of a cookie that no other host can set: with the prefix `__Host-` over HTTPS, where browsers make sure
    /// of it (RFC 6265bis §4.1.3.2), and without it elsewhere, where they would refuse it.
    package static func hostName(_ name: String, isHTTPS: Bool) -> String { isHTTPS ? "__Host-" + name : name }

    private static let valueBytes = ByteSet { byte in
        byte > 0x20 && byte < 0x7F && !"\",;\\".utf8.contains(byte)
    }

    /// The largest size in bytes, of name and value together, that browsers keep.
    private static let maximumSize = 4096

    /// The largest size in bytes of an attribute's value that browsers look at (RFC 6265bis §5.7).
    private static let maximumAttributeSize = 1024

    /// The years that a date may have (RFC 6265bis §5.1.1, RFC 9110 §5.6.7), as seconds since 1970.
    private static let dates = -11_644_473_600.0..<253_402_300_800.0

    private static func isHostName(_ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy(\.isHostLabel)
    }

    /// The fault of the attributes for scope and lifetime, as the rest of a sentence; nil without one.
    private var attributeFault: String? {
        if path.utf8.first != UInt8(ascii: "/") { return "has a path without a slash at its beginning; add one" }
        if let domain, !Self.isHostName(domain) {
            return "has a domain that is not the name of a host; write it like example.com"
        }
        if max(path.utf8.count, domain?.utf8.count ?? 0) > Self.maximumAttributeSize {
            return "has a path or domain of more than \(Self.maximumAttributeSize) bytes; shorten it"
        }
        if let expires, !Self.dates.contains(expires.timeIntervalSince1970) {
            return "ends in a year that no date can have; set one from 1601 to 9999"
        }
        return nil
    }

    /// The fault of the cookie, as the rest of a sentence; nil when browsers accept it.
    private var fault: String? {
        let bytes = Self.valueBytes
        guard name.isToken, value.utf8.allSatisfy(bytes.contains), path.utf8.allSatisfy(bytes.contains) else {
            return "has a name, value or path with a character that cookies cannot contain; encode it first"
        }
        if let attributeFault { return attributeFault }
        if sameSite == .none, !isSecure { return "is SameSite=None but not Secure; set isSecure" }
        if hasPrefix("__host-"), !isSecure || !path.utf8.elementsEqual("/".utf8) || domain != nil {
            return "begins with __Host-, so it must be Secure, with the path / and no domain; set these, or rename it"
        }
        if hasPrefix("__secure-"), !isSecure {
            return "begins with __Secure- but is not Secure; set isSecure, or rename it"
        }
        if name.utf8.count + value.utf8.count > Self.maximumSize {
            return "has a name and value of more than \(Self.maximumSize) bytes; keep less there, or use another store"
        }
        return nil
    }

    /// Whether the name has this prefix, regardless of case, as browsers check it.
    private func hasPrefix(_ prefix: StaticString) -> Bool {
        var name = name
        return name.withUTF8 {
            UnsafeBufferPointer(rebasing: $0.prefix(prefix.utf8CodeUnitCount)).isEqualIgnoringCase(to: prefix)
        }
    }

    /// The value of a `Set-Cookie` field.
    /// - Throws: `MalformedCookie` for a cookie that would change the rest of the field, or that browsers refuse.
    func serialized() throws(MalformedCookie) -> String {
        if let fault { throw MalformedCookie(name: name, fault: fault) }
        var text = "\(name)=\(value); Path=\(path)"
        if let domain { text += "; Domain=\(domain)" }
        if let expires { text += "; Expires=\(HTTPDate.string(Int(expires.timeIntervalSince1970.rounded(.down))))" }
        if let maxAge { text += "; Max-Age=\(maxAge.wholeSeconds)" }
        if isSecure { text += "; Secure" }
        if isHTTPOnly { text += "; HttpOnly" }
        return text + "; SameSite=\(sameSite.rawValue)"
    }
}

/// A cookie that cannot be sent, or that browsers would refuse.
struct MalformedCookie: Error, CustomStringConvertible {
    let name: String
    let fault: String
    /// The error message: the fault, and the remedy.
    var description: String { "The cookie \"\(name)\" \(fault)." }
}

extension Request {
    /// All cookies that the client sent, in their order; the same name may be there twice (RFC 6265 §5.4).
    public var cookies: [(name: String, value: String)] {
        guard var header = headers[.cookie] else { return [] }
        return header.withUTF8 { bytes in
            bytes.split(separator: UInt8(ascii: ";")).compactMap { pair in
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                let name = UnsafeBufferPointer(rebasing: pair[..<equals]).trimmingBlanks()
                let value = UnsafeBufferPointer(rebasing: pair[(equals + 1)...]).trimmingBlanks()
                return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
            }
        }
    }

    /// The first cookie of a name that the client sent; nil when there is none.
    public func cookie(_ name: String) -> String? {
        guard var header = receivedFields.value(.cookie) else { return nil }
        return header.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let pair = rest.prefix { $0 != UInt8(ascii: ";") }
                rest = rest[pair.endIndex...].dropFirst()
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")),
                    UnsafeBufferPointer(rebasing: pair[..<equals]).trimmingBlanks().elementsEqual(name.utf8)
                else { continue }
                let value = UnsafeBufferPointer(rebasing: pair[(equals + 1)...]).trimmingBlanks()
                return String(decoding: value, as: UTF8.self)
            }
            return nil
        }
    }
}

extension Response {
    /// Adds a `Set-Cookie` field.
    /// - Throws: An error that names the fault of a cookie that cannot be sent.
    public mutating func setCookie(_ cookie: Cookie) throws {
        headers.append(.setCookie, try cookie.serialized())
    }
}
