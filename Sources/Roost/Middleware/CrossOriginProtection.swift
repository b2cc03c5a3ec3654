import HTTPTypes

// Protection against cross-site request forgery without tokens, based on what browsers themselves say about a request
// (OWASP CSRF Cheat Sheet, "Fetch Metadata"). A browser cannot be made to omit or forge these fields, and a program
// that is not a browser does not attach a visitor's cookies by itself.

/// Refuses unsafe requests that a page of another site makes in a visitor's name (403).
///
/// `Sec-Fetch-Site` decides: `same-origin` and `none` pass. When the browser does not send it, `Origin` must be the
/// host that the request is for. When neither is present, the client is not a browser, and the request passes. JSON is
/// not exempt. `GET`, `HEAD` and `OPTIONS` always pass, since they change nothing.
public struct CrossOriginProtection: ImmediateMiddleware {
    private let trustedOrigins: Set<[UInt8]>

    /// - Parameter trustedOrigins: Other sites whose pages may send requests here: `https://app.example.com`.
    public init(trustedOrigins: Set<String> = []) {
        self.trustedOrigins = Set(trustedOrigins.map { Array($0.utf8) })
    }

    /// Lets allowed requests pass.
    /// - Throws: ``HTTPError`` with 403 for any other.
    public func before(_ request: inout Request) throws -> Response? {
        guard isAllowed(request) else {
            throw HTTPError(.forbidden, "This request came from another site's page and was refused.")
        }
        return nil
    }

    private func isAllowed(_ request: Request) -> Bool {
        if request.isSafe || isShared(request) { return true }
        let origin = request.headers[.origin]
        if let origin, trustedOrigins.contains(Array(origin.utf8)) { return true }
        switch request.headers[.secFetchSite] {
        case "same-origin", "none": return true
        case nil: return origin.map { isOwn($0, request) } ?? true
        default: return false
        }
    }

    /// Whether ``CORS`` allows the request: for an origin that is listed, or for everybody, if the request has no
    /// cookies and so speaks for nobody.
    private func isShared(_ request: Request) -> Bool {
        switch request[CORS.Permission.Key.self] {
        case .origin: true
        case .anybody: !request.headers.contains(.cookie)
        case nil: false
        }
    }

    /// Whether an origin has the host and port that the request is for; the scheme is not known behind a proxy.
    private func isOwn(_ origin: String, _ request: Request) -> Bool {
        for scheme in ["http://", "https://"] where origin.utf8.starts(with: scheme.utf8) {
            let host = origin.utf8.dropFirst(scheme.utf8.count)
            return host.elementsEqual(request.authority.utf8) { Self.lowercased($0) == Self.lowercased($1) }
        }
        return false
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}

extension HTTPField.Name {
    static let secFetchSite = known("Sec-Fetch-Site")
}
