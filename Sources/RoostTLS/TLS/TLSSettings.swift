public import Roost

/// The settings of TLS, from environment variables.
public struct TLSSettings: Sendable {
    /// The port for TLS (`TLS_PORT`), at the server's own address, or at that of a socket with this port that the
    /// program was started with (`LISTEN_FDS`); 0 takes a free one. nil (`none`), the default, means that the server
    /// speaks plain HTTP only, as for a proxy. With `TLS=auto` or `TLS=files`, the default is 443; with `TLS=off`, it
    /// is always nil.
    public var port: Int?
    /// The certificates with their keys (`TLS_CERTIFICATE` and `TLS_KEY`, files in PEM, several with commas). A client
    /// gets the one for the host that it names (RFC 6066 §3), or the first.
    public var certificates: [CertificateFiles] = []
    /// The certificate that the program orders and renews itself (`TLS=auto`, and `HOST_NAMES`); nil, the default,
    /// takes ``certificates``.
    public var automatic: ACMESettings?
    /// A PEM file of authorities, one of which must have issued the client's certificate (`TLS_CLIENT_CA`); nil, the
    /// default, requires no certificate of clients.
    public var clientAuthority: String?
    /// The response to requests without TLS (`PLAIN_HTTP`: `redirect` or `site`). Nil, the default, redirects in
    /// production, and also where clients must show a certificate, which only TLS asks them for.
    public var plain: PlainRequests?
    /// The URL at which browsers reach the site (`PUBLIC_URL`), for redirects.
    public var publicURL: PublicURL?
    /// The hosts that the site serves beside that of ``publicURL`` (`ALLOWED_HOSTS`), for redirects.
    public var allowedHosts: [String] = []
    /// The secret that instances share so that each can read the others' session tickets (`SECRET_KEY`); nil for a
    /// random one.
    public var ticketSecret: String?

    /// Whether clients may speak HTTP/2 (`HTTP2`, `on` or `off`), beside HTTP/1.1: with TLS those that ask for it
    /// (ALPN), and at the plain port those that begin with it (RFC 9113 §3), such as proxies.
    public var speaksHTTP2 = true

    /// The answer to requests that come without TLS to a server that has it.
    public enum PlainRequests: String, Sendable, CaseIterable {
        /// Plain requests are redirected to HTTPS, except those of health checks and of the authority that issues
        /// certificates.
        case redirect
        /// Plain requests get the site, as with TLS.
        case site
    }

    /// The origin of certificates (`TLS`).
    private enum Source: String, CaseIterable { case auto, files, off }

    /// No TLS.
    public init() {}

    /// Reads environment variables; the reader notes invalid values.
    public init(reading reader: inout SettingsReader) {
        let source = reader.read(
            Setting<Source?>(
                "TLS", default: nil, expectation: "auto, files or off", write: { $0?.rawValue ?? "" },
                read: { Source(rawValue: $0).map { .some($0) } }))
        let usual = source == .auto || source == .files ? 443 : nil
        port = reader.read(Setting("TLS_PORT", default: 0, in: 0...65_535).or("none", default: usual))
        if source == .off { port = nil }
        let files = reader.read(Setting<[String]>("TLS_CERTIFICATE"))
        let keys = reader.read(Setting<[String]>("TLS_KEY"))
        clientAuthority = reader.read(Setting<String?>("TLS_CLIENT_CA"))
        plain = reader.read(
            Setting<PlainRequests?>(
                "PLAIN_HTTP", default: nil, expectation: "redirect or site", write: { $0?.rawValue ?? "" },
                read: { PlainRequests(rawValue: $0).map { .some($0) } }))
        speaksHTTP2 = reader.read(Setting("HTTP2", default: true))
        publicURL = try? PublicURL(environment: reader.variables)
        ticketSecret = reader.variables["SECRET_KEY"].flatMap { $0.isEmpty ? nil : $0 }
        allowedHosts = (try? AllowedHosts.list(reader.variables)) ?? []
        let acme = ACMESettings(reading: &reader)
        if source == .auto {
            acme.check(&reader)
            checkAutomatic(&reader, hasFiles: !files.isEmpty || !keys.isEmpty)
            automatic = acme
            return
        }
        guard port != nil else {
            if source != .off { checkWithoutPort(&reader) }
            return
        }
        guard !files.isEmpty, files.count == keys.count, !(files + keys).contains("") else {
            let (cause, remedy) = source == .files ? ("TLS=files", "set TLS=off") : ("TLS_PORT", "remove TLS_PORT")
            reader.addError(
                "\(cause) needs a certificate and its key: set TLS_CERTIFICATE and TLS_KEY to files in PEM, as many of "
                    + "one as of the other, or \(remedy).")
            return
        }
        certificates = zip(files, keys).map { CertificateFiles(certificate: $0, key: $1) }
    }

    /// Whoever has set them believes that there is TLS.
    private func checkWithoutPort(_ reader: inout SettingsReader) {
        for name in ["TLS_CERTIFICATE", "TLS_KEY", "TLS_CLIENT_CA"] where reader.variables[name] ?? "" != "" {
            return reader.addError(
                "\(name) is set, but TLS has no port: set TLS_PORT, as in TLS_PORT=443, or TLS=off for plain HTTP.")
        }
    }

    private func checkAutomatic(_ reader: inout SettingsReader, hasFiles: Bool) {
        if port == nil { reader.addError("TLS=auto needs a port: remove TLS_PORT=none, or set TLS=off.") }
        if hasFiles {
            reader.addError(
                "TLS=auto orders a certificate, but TLS_CERTIFICATE or TLS_KEY name files: set TLS=files to use them, "
                    + "or remove them.")
        }
    }

    /// The URL of the site: ``publicURL``, or else that of the first of the hosts of ``automatic``; nil without either.
    public var siteURL: PublicURL? {
        if let publicURL { return publicURL }
        guard let host = automatic?.hosts.first else { return nil }
        return try? PublicURL("https://" + host + (port == 443 || port == 0 ? "" : ":\(port ?? 443)"))
    }
}
