import HTTPTypes

/// Middleware that sets the headers that tell a browser what this site never does. A field that the response already
/// has is left as it is.
///
/// The content security policy allows what comes from the site itself and nothing inline; HSTS is sent over HTTPS only,
/// which includes HTTPS that a trusted proxy reports (OWASP HTTP Headers Cheat Sheet). A browser on this machine that
/// speaks TLS with the program itself does not get it: it would apply to everything at `localhost`, for years.
public struct SecurityHeaders: Filter {
    private let isHTTPS: Bool
    private let fields: SharedFields
    /// The fields over HTTPS.
    private let secureFields: SharedFields

    /// The defaults.
    /// - Parameters:
    ///   - isHTTPS: Whether browsers reach the site over HTTPS, so that they may be told to use only that. A
    ///     trusted proxy's word takes precedence over this.
    ///   - contentSecurityPolicy: The policy (CSP level 3).
    ///   - strictTransportSecurity: The value of HSTS (RFC 6797); nil for none. A browser obeys it for as long as it
    ///     states, by default two years, and for all subdomains, too. Begin with `max-age=300`; `max-age=0` ends it in
    ///     each browser that comes back.
    public init(
        isHTTPS: Bool,
        contentSecurityPolicy: String = SecurityHeaders.contentSecurityPolicy,
        strictTransportSecurity: String? = "max-age=63072000; includeSubDomains"
    ) {
        let headers: Headers = [
            .contentSecurityPolicy: contentSecurityPolicy,
            .xContentTypeOptions: "nosniff",
            .xFrameOptions: "DENY",
            .referrerPolicy: "strict-origin-when-cross-origin",
            .crossOriginOpenerPolicy: "same-origin",
            .crossOriginResourcePolicy: "same-origin",
        ]
        var secure = headers
        secure[.strictTransportSecurity] = strictTransportSecurity
        secureFields = SharedFields(secure)
        fields = SharedFields(headers)
        self.isHTTPS = isHTTPS
    }

    /// Allows only what comes from the site itself: no plug-ins, no frames around it, forms only to itself.
    public static let contentSecurityPolicy =
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

    /// Sets the headers on every response.
    public func after(_ response: inout Response, to request: Request) {
        let isSecure = request.isHTTPS(orElse: isHTTPS) && !(request.notes.isEncrypted && request.isOnLoopback)
        response.headers.addMissing(isSecure ? secureFields : fields)
    }
}

extension HTTPField.Name {
    package static let xFrameOptions = known("X-Frame-Options")
    static let referrerPolicy = known("Referrer-Policy")
    static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
}
