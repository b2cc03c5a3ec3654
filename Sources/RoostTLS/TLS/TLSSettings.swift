public import Roost

/// The settings of TLS, from environment variables.
public struct TLSSettings: Sendable {
    /// The port for TLS (`TLS_PORT`), at the server's own address; 0 takes a free one. nil (`none`), the default, means
    /// that the server speaks plain HTTP only, as for a proxy.
    public var port: Int?
    /// The certificates with their keys (`TLS_CERTIFICATE` and `TLS_KEY`, files in PEM, several with commas). A client
    /// gets the one for the host that it names (RFC 6066 §3), or the first.
    public var certificates: [CertificateFiles] = []
    /// The authorities, a file in PEM, of whose certificates clients must show one (`TLS_CLIENT_CA`); nil, the default,
    /// asks for none.
    public var clientAuthority: String?
    /// The answer to requests without TLS (`PLAIN_HTTP`, `redirect` or `site`): nil, the default, redirects in
    /// production.
    public var plain: PlainRequests?
    /// The URL at which browsers reach the site (`PUBLIC_URL`), for redirects.
    public var publicURL: PublicURL?
    /// The secret that instances share so that each can read the others' session tickets (`SECRET_KEY`); nil for a
    /// random one.
    public var ticketSecret: String?

    /// Whether clients may speak HTTP/2 (`HTTP2`, `on` or `off`), beside HTTP/1.1: with TLS those that ask for it
    /// (ALPN), and at the plain port those that begin with it (RFC 9113 §3), such as proxies.
    public var speaksHTTP2 = true

    /// The answer to requests that come without TLS to a server that has it.
    public enum PlainRequests: String, Sendable, CaseIterable {
        /// They are sent on to HTTPS, except those of health checks and of the authority that issues certificates.
        case redirect
        /// They get the site, as with TLS.
        case site
    }

    /// No TLS.
    public init() {}

    /// Reads environment variables; the reader notes invalid values.
    public init(reading reader: inout SettingsReader) {
        port = reader.read(Self.portSetting)
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
        guard port != nil else { return }
        guard !files.isEmpty, files.count == keys.count, !(files + keys).contains("") else {
            reader.addError(
                "TLS_PORT needs a certificate and its key: set TLS_CERTIFICATE and TLS_KEY to files in PEM, as many of "
                    + "one as of the other, or remove TLS_PORT.")
            return
        }
        certificates = zip(files, keys).map { CertificateFiles(certificate: $0, key: $1) }
    }

    private static let portSetting = Setting<Int?>(
        "TLS_PORT", default: nil, expectation: "none or to a whole number from 0 to 65535",
        write: { $0.map { "\($0)" } ?? "none" },
        read: { text in
            if text == "none" { return .some(nil) }
            return Int(text).flatMap { (0...65_535).contains($0) ? .some($0) : nil }
        })
}
