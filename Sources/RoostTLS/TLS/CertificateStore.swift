internal import COpenSSL
import Glibc
import Roost
import Synchronization

/// The certificates of a server, which may change while it runs, and all that handshakes ask for.
///
/// A handshake asks here once, under a lock that it hardly ever has to wait for; connections that have one keep it.
final class CertificateStore: Sendable {
    let tickets: TicketKeys
    /// The protocols that clients may choose from, the best first (ALPN, RFC 7301).
    let protocols: [[UInt8]]
    private let state: Mutex<State>

    private struct State {
        /// The authority whose certificates clients must show.
        var authority: ClientAuthority?
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
        state = Mutex(State(authority: clientAuthority))
    }

    /// Uses these certificates from now on. The first is for hosts that none is for.
    /// - Parameter new: The authority whose certificates clients must show from now on; nil for that of before.
    func use(_ pairs: [CertificatePair], clientAuthority new: ClientAuthority? = nil) throws(OpenSSLFailure) {
        let authority = new ?? authority
        var contexts: [TLSContext] = []
        for pair in pairs { contexts.append(try TLSContext(pair, for: self, authority)) }
        state.withLock { ($0.contexts, $0.authority) = (contexts, authority) }
    }

    private var authority: ClientAuthority? { state.withLock { $0.authority } }

    /// Lets connections begin before there is a certificate, so that an authority can ask for its proofs.
    func awaitCertificate() throws(OpenSSLFailure) {
        let blank = try TLSContext(nil, for: self, authority)
        state.withLock { $0.blank = blank }
    }

    /// Shows an authority the certificate of a challenge, or no longer.
    func prove(_ host: String, with pair: CertificatePair?) throws(OpenSSLFailure) {
        let context: TLSContext?
        if let pair { context = try TLSContext(pair, for: self, authority) } else { context = nil }
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

    /// The facts about each certificate.
    var facts: [CertificateFacts] { state.withLock { $0.contexts.compactMap { $0.pair.map { CertificateFacts($0) } } } }

    /// The end of the time of the certificate that ends first, in seconds since 1970.
    var expiry: Int? { facts.map(\.expires).min() }

    /// The store that a connection's certificate is of.
    static func of(_ ssl: OpaquePointer) -> CertificateStore? {
        SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), 0).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The authority whose certificates clients must show (mutual TLS).
struct ClientAuthority: Sendable {
    private let text: [UInt8]
    private let path: String

    init(_ path: String) throws(StartError) {
        self.path = path
        text = try PEMFile.read(path, "TLS_CLIENT_CA")
        for certificate in try PEMFile.certificates(text, "TLS_CLIENT_CA", path) { X509_free(certificate) }
    }

    /// Has the handshakes of a context fail without a certificate of it.
    ///
    /// OpenSSL does not look again at the certificate of a client that comes back with a ticket, even if it has
    /// expired: so there are no tickets. The authority may be one of another authority, which is not in the file.
    func require(in context: OpaquePointer) throws(OpenSSLFailure) {
        guard let certificates = try? PEMFile.certificates(text, "TLS_CLIENT_CA", path) else { throw .take() }
        for certificate in certificates {
            // Both keep the certificate for themselves.
            X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate)
            SSL_CTX_add_client_CA(context, certificate)
            X509_free(certificate)
        }
        X509_STORE_set_flags(SSL_CTX_get_cert_store(context), UInt(X509_V_FLAG_PARTIAL_CHAIN))
        // Of a chain's certificates; OpenSSL takes the memory when the chain is announced, as for a ClientHello.
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_CERT_LIST, 32 * 1024, nil)
        ssl_ctx_forbid_tickets(context)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        ERR_clear_error()
    }
}

/// Files that are read together, of a certificate with its key or of an authority, and what they gave last.
struct CertificateSource<Value> {
    private let paths: [String]
    private let read: @Sendable () throws(StartError) -> Value
    private(set) var value: Value
    /// The versions that the value is of.
    private var used: [Version]
    /// The sentence of the last try to read them, if it failed, and the time at which it was told.
    private var failure: (sentence: String, told: Int)?

    init(_ paths: [String], _ read: @escaping @Sendable () throws(StartError) -> Value) throws(StartError) {
        (self.paths, self.read) = (paths, read)
        used = paths.map { Version($0) }
        value = try read()
    }

    /// Reads the files again if they have changed, also after a failure, or if somebody has asked for it. A failure is
    /// new at first, and then once a day.
    /// - Parameter now: The time, in seconds since 1970.
    mutating func look(isAsked: Bool, at now: Int) -> CertificateLook {
        let seen = paths.map { Version($0) }
        if seen == used {
            failure = nil
            guard isAsked else { return .same }
        }
        do throws(StartError) {
            (value, used, failure) = (try read(), seen, nil)
            return .changed
        } catch {
            let sentence = error.description
            let isNew = failure.map { $0.sentence != sentence || now - $0.told >= 86_400 } ?? true
            if isNew { failure = (sentence, now) }
            return .failed(sentence, isNew: isNew)
        }
    }

    /// The version of a file, by which a change shows.
    private struct Version: Equatable {
        private var device, file, seconds, nanoseconds, size, mode, owner, group: Int

        init(_ path: String) {
            var facts = Glibc.stat()
            let isThere = stat(path, &facts) == 0
            device = isThere ? Int(truncatingIfNeeded: facts.st_dev) : -1
            file = Int(truncatingIfNeeded: facts.st_ino)
            // It changes with the content, and also with the rights to read it.
            seconds = facts.st_ctim.tv_sec
            nanoseconds = facts.st_ctim.tv_nsec
            size = Int(facts.st_size)
            (mode, owner, group) = (Int(facts.st_mode), Int(facts.st_uid), Int(facts.st_gid))
        }
    }
}

/// The outcome of a look at files.
enum CertificateLook: Equatable {
    case same, changed
    case failed(String, isNew: Bool)
}
