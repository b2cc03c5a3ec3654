internal import COpenSSL
import Roost
import Synchronization

/// The certificates of a server, which may change while it runs, and all that handshakes ask for.
///
/// A handshake asks here once, under a lock that it hardly ever has to wait for; connections that have one keep it.
final class CertificateStore: Sendable {
    let tickets: TicketKeys
    let clientAuthority: ClientAuthority?
    /// The protocols that clients may choose from, the best first (ALPN, RFC 7301).
    let protocols: [[UInt8]]
    private let state = Mutex(State())

    private struct State {
        var contexts: [TLSContext] = []
        /// The context with which connections begin while there is no certificate.
        var blank: TLSContext?
        /// The certificates that prove to an authority who runs this server, by the host.
        var challenges: [String: TLSContext] = [:]
    }

    /// The protocol by which an authority asks for such a certificate (RFC 8737 §6.2).
    static let challengeProtocol = Array("acme-tls/1".utf8)

    /// HTTP/2 (RFC 9113 §3.1).
    static let http2 = Array("h2".utf8)

    /// Whether clients may choose HTTP/2.
    var offersHTTP2: Bool { protocols.contains(Self.http2) }

    init(protocols: [String], tickets: TicketKeys, clientAuthority: ClientAuthority? = nil) {
        self.protocols = protocols.map { Array($0.utf8) }
        self.tickets = tickets
        self.clientAuthority = clientAuthority
    }

    /// Uses these certificates from now on. The first is for hosts that none is for.
    func use(_ pairs: [CertificatePair]) throws(OpenSSLFailure) {
        var contexts: [TLSContext] = []
        for pair in pairs { contexts.append(try TLSContext(pair, for: self)) }
        state.withLock { $0.contexts = contexts }
    }

    /// Lets connections begin before there is a certificate, so that an authority can ask for its proofs.
    func awaitCertificate() throws(OpenSSLFailure) {
        let blank = try TLSContext(nil, for: self)
        state.withLock { $0.blank = blank }
    }

    /// Shows an authority the certificate of a challenge, or no longer.
    func prove(_ host: String, with pair: CertificatePair?) throws(OpenSSLFailure) {
        let context: TLSContext?
        if let pair { context = try TLSContext(pair, for: self) } else { context = nil }
        state.withLock { $0.challenges[host] = context }
    }

    /// The certificate that a connection begins with; nil while there is none.
    var first: TLSContext? { state.withLock { $0.contexts.first ?? $0.blank } }

    /// Whether there is no certificate yet.
    var isEmpty: Bool { state.withLock { $0.contexts.isEmpty } }

    /// The certificate for a host; nil for the first, and for a challenge that there is none for.
    func context(for host: UnsafePointer<CChar>, isChallenge: Bool) -> TLSContext? {
        state.withLock { state in
            if isChallenge { return state.challenges[String(cString: host).lowercased()] }
            return state.contexts.count > 1 ? state.contexts.first { $0.isFor(host) } : nil
        }
    }

    /// The end of the time of the certificate that ends first, in seconds since 1970.
    var expiry: Int? { state.withLock { $0.contexts.map(\.expiry).min() } }

    /// The store that a connection's certificate is of.
    static func of(_ ssl: OpaquePointer) -> CertificateStore? {
        SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), 0).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The authority whose certificates clients must show (mutual TLS).
struct ClientAuthority: Sendable {
    private let text: [UInt8]
    private let path: String
    /// A name for the sessions that it has allowed: those of another authority are of no use.
    let name: [UInt8]

    init(_ path: String) throws(StartError) {
        self.path = path
        text = try PEMFile.read(path, "TLS_CLIENT_CA")
        for certificate in try PEMFile.certificates(text, "TLS_CLIENT_CA", path) { X509_free(certificate) }
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_Digest(text, text.count, &digest, nil, EVP_sha256(), nil)
        name = digest
    }

    /// Has the handshakes of a context fail without a certificate of it.
    func require(in context: OpaquePointer) throws(OpenSSLFailure) {
        guard let certificates = try? PEMFile.certificates(text, "TLS_CLIENT_CA", path) else { throw .take() }
        for certificate in certificates {
            // Both keep the certificate for themselves.
            X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate)
            SSL_CTX_add_client_CA(context, certificate)
            X509_free(certificate)
        }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        ERR_clear_error()
    }
}
