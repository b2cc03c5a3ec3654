import HTTPTypes

/// Middleware that refuses unsafe requests that a page of another site makes in a visitor's name (403): protection
/// against cross-site request forgery without tokens.
///
/// `Sec-Fetch-Site` decides: `same-origin` and `none` pass. When the browser does not send it, `Origin` must be the
/// host that the request is for. When neither is present, the client is not a browser, and the request passes. JSON is
/// not exempt. `GET`, `HEAD`, `OPTIONS` and `QUERY` always pass, since they change nothing.
public struct CrossOriginProtection: Filter {
    private let trustedOrigins: PageOrigins

    /// Creates the protection, with the origins that are exempt. One that no browser sends ends the program with the
    /// message and the exit code of a ``StartError/configuration(_:)``, since it may come from a setting.
    /// - Parameter trustedOrigins: Other sites whose pages may send requests here: `https://app.example.com`.
    public init(trustedOrigins: Set<String> = []) {
        if let mistake = PageOrigins.mistake(in: trustedOrigins) {
            LogWriter.exit(with: StartError.configuration(mistake))
        }
        self.trustedOrigins = PageOrigins(trustedOrigins)
    }

    /// Lets allowed requests pass.
    /// - Throws: ``HTTPError`` with 403 for any other.
    public func before(_ request: inout Request) throws -> Response? {
        guard request.isSafe || isShared(request) || request.isOfOwnPage(trusting: trustedOrigins) else {
            throw HTTPError(.forbidden, "This request came from another site's page and was refused.")
        }
        return nil
    }

    /// The sentence about an application with a list of middleware, but without this protection; nil for any other. An
    /// empty list is meant so.
    /// - Parameter inner: The middleware of groups.
    static func warning(for list: [any Middleware], _ inner: [any Middleware]) -> String? {
        guard !list.isEmpty, !(list + inner).contains(where: { $0 is CrossOriginProtection }) else { return nil }
        return "The list of middleware has no CrossOriginProtection, so pages of other sites can send forms to this "
            + "one. A list replaces the standard middleware: write Application.standardMiddleware() + […] to have "
            + "both, or add CrossOriginProtection()."
    }

    /// Whether ``CORS`` allows the request: for an origin that is listed with credentials, or else if the request has
    /// no cookies and no password that a browser adds by itself, and so speaks for nobody.
    private func isShared(_ request: Request) -> Bool {
        switch request[CORS.Permission.Key.self] {
        case .origin: true
        case .anybody:
            !request.headers.contains(.cookie)
                && request.headers[values: .authorization].allSatisfy { field in
                    let scheme = String(Substring(field.utf8.prefix { $0 != 0x20 })).lowercased()
                    return !["basic", "digest", "negotiate", "ntlm"].contains(scheme)
                }
        case nil: false
        }
    }
}
