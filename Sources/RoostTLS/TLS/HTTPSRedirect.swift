import HTTPTypes
import Roost

/// Sends requests that come without TLS on to HTTPS, with 308: method and body stay (RFC 9110 §15.4.9).
///
/// Health checks get their answer, because programs that watch an instance ask it directly, and so does the authority
/// that issues certificates, which begins without TLS (RFC 8555 §8.3).
final class HTTPSRedirect: Responder {
    private let next: any Responder
    private let tls: TLS
    /// The URL of the site, if it is one of HTTPS.
    private let publicURL: PublicURL?
    /// The hosts of the site, if they are listed.
    private let hosts: AllowedHosts?
    /// Whether the program orders its certificate, and may have none yet.
    private let isOrdered: Bool

    init(_ next: any Responder, _ tls: TLS, _ settings: TLSSettings) {
        self.next = next
        self.tls = tls
        publicURL = settings.publicURL.flatMap { $0.isHTTPS ? $0 : nil }
        isOrdered = settings.automatic != nil
        let names = settings.allowedHosts + (settings.automatic?.hosts ?? [])
        hosts = names.isEmpty ? nil : AllowedHosts(names, publicURL: settings.publicURL, in: .production)
    }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        if let response = try response(to: request) { return .ready(response) }
        return try next.respondWithoutWaiting(to: &request)
    }

    func respond(to request: Request) async throws -> Response {
        if let response = try response(to: request) { return response }
        return try await next.respond(to: request)
    }

    /// nil for a request that is to go on.
    private func response(to request: Request) throws -> Response? {
        if request.isHTTPS { return nil }
        let path = request.path
        if HealthPath.contains(path) || path.hasPrefix(ChallengeToken.folder) { return nil }
        if isOrdered, tls.store.isEmpty {
            return Response(
                .serviceUnavailable, headers: [.retryAfter: "5", .contentType: "text/plain; charset=utf-8"],
                body: Body("This site has no certificate yet. It is being ordered.\n"))
        }
        do {
            let location = try base(for: request) + Self.place(in: request.target)
            return Response(.permanentRedirect, headers: [.location: location])
        } catch let error as HTTPError {
            // Nothing around this makes a body of it.
            return .problem(error)
        }
    }

    /// The path and query of a target (RFC 9112 §3.2).
    private static func place(in target: String) -> String {
        let slash = UInt8(ascii: "/")
        if target.utf8.first == slash { return target }
        // The absolute form; the other that gets here is the asterisk.
        guard let colon = target.utf8.firstIndex(of: UInt8(ascii: ":")) else { return "/" }
        let place = target.utf8[colon...].dropFirst(3).drop { $0 != slash && $0 != UInt8(ascii: "?") }
        return (place.first == slash ? "" : "/") + String(Substring(place))
    }

    /// The URL of the same site over HTTPS: the public one, or that of the host that was asked for.
    /// - Throws: ``HTTPError`` with 421 for a host that is not this site's: nobody is sent there. With 400 if no host
    ///   is known, since one of HTTP/1.0 need not say any.
    private func base(for request: Request) throws -> String {
        var asked = request
        _ = try hosts?.before(&asked)
        if let publicURL { return "\(publicURL)" }
        let authority = request.authority
        guard !authority.isEmpty else {
            throw HTTPError(.badRequest, "This site is reached over HTTPS, at a host that the request must name.")
        }
        let host = String(Substring(Authority.host(of: authority[...].utf8)))
        let port = tls.publicPort
        return "https://" + host + (port == 443 ? "" : ":\(port)")
    }
}
