internal import COpenSSL

/// One certificate with its private key, and everything that a handshake with it follows: an `SSL_CTX`.
///
/// The versions, ciphers and key exchanges are Mozilla's intermediate list, version 5.7, without the ciphers that need
/// parameters for Diffie-Hellman. There is no renegotiation, no compression, no early data (RFC 8446 §8) and no stapled
/// OCSP.
///
/// `@unchecked Sendable`: an `SSL_CTX` is not changed once it is made, and OpenSSL counts its references with atomics.
final class TLSContext: @unchecked Sendable {
    private let context: OpaquePointer
    /// The certificate; nil for proofs.
    let pair: CertificatePair?

    /// - Parameters:
    ///   - pair: The certificate; nil for one that shows proofs to an authority and refuses everybody else.
    ///   - store: The store that its handshakes ask for certificates and keys; it must outlive them.
    ///   - authority: The authority whose certificates clients must show; nil for none.
    init(
        _ pair: CertificatePair?, for store: CertificateStore, _ authority: ClientAuthority?
    ) throws(OpenSSLFailure) {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw .take() }
        self.context = context
        self.pair = pair
        ssl_ctx_set_up(context)
        let ciphers = SSL_CTX_set_cipher_list(context, Self.ciphers) > 0 && ssl_ctx_groups(context, Self.groups) > 0
        guard ciphers, pair.map({ Self.use($0, context) }) ?? true else { throw .take() }
        // A ticket's key decides who may resume; only a challenge's sessions have another name.
        SSL_CTX_set_session_id_context(context, [1], 1)
        SSL_CTX_set_timeout(context, TicketKeys.lifetime)
        SSL_CTX_set_num_tickets(context, 1)
        SSL_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(store).toOpaque())
        setCallbacks(context)
        try authority?.require(in: context)
    }

    deinit { SSL_CTX_free(context) }

    private static func use(_ pair: CertificatePair, _ context: OpaquePointer) -> Bool {
        SSL_CTX_use_certificate(context, pair.certificate) > 0
            && pair.chain.allSatisfy { ssl_ctx_add_chain(context, $0) > 0 }
            && SSL_CTX_use_PrivateKey(context, pair.key) > 0 && SSL_CTX_check_private_key(context) > 0
    }

    private static let ciphers = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ].joined(separator: ":")

    private static let groups = "X25519:P-256:P-384"

    /// A new connection, which begins with this certificate.
    func makeConnection() -> OpaquePointer? { SSL_new(context) }

    /// Whether the certificate is for a host.
    func isFor(_ host: UnsafePointer<CChar>) -> Bool {
        X509_check_host(SSL_CTX_get0_certificate(context), host, 0, 0, nil) == 1
    }

    /// Has a connection go on with this certificate.
    func take(over connection: OpaquePointer) { SSL_set_SSL_CTX(connection, context) }

    private func setCallbacks(_ context: OpaquePointer) {
        SSL_CTX_set_client_hello_cb(
            context,
            { ssl, alert, _ in
                guard let ssl else { return SSL_CLIENT_HELLO_ERROR }
                if TLSContext.asksForChallenge(ssl) {
                    TLSContext.beginChallenge(ssl)
                } else if SSL_CTX_get0_certificate(SSL_get_SSL_CTX(ssl)) == nil {
                    alert?.pointee = SSL_AD_INTERNAL_ERROR
                    return SSL_CLIENT_HELLO_ERROR
                }
                return SSL_CLIENT_HELLO_SUCCESS
            }, nil)
        ssl_ctx_on_name(context) { ssl, _, _ in
            guard let ssl, let store = CertificateStore.of(ssl) else { return SSL_TLSEXT_ERR_OK }
            let isChallenge = TLSContext.isChallenge(ssl)
            if let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) {
                let context = store.context(for: name, isChallenge: isChallenge)
                context?.take(over: ssl)
                if context != nil { return SSL_TLSEXT_ERR_OK }
            }
            // An authority is shown a proof or nothing (RFC 8737 §4).
            return isChallenge ? SSL_TLSEXT_ERR_ALERT_FATAL : SSL_TLSEXT_ERR_OK
        }
        SSL_CTX_set_alpn_select_cb(
            context,
            { ssl, chosen, length, offered, count, _ in
                guard let ssl, let store = CertificateStore.of(ssl) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
                let isChallenge = TLSContext.isChallenge(ssl)
                for name in isChallenge ? [CertificateStore.challengeProtocol] : store.protocols {
                    guard let place = TLSContext.place(of: name, in: offered, Int(count)) else { continue }
                    chosen?.pointee = offered.map { $0 + place }
                    length?.pointee = UInt8(truncatingIfNeeded: name.count)
                    return SSL_TLSEXT_ERR_OK
                }
                return SSL_TLSEXT_ERR_ALERT_FATAL
            }, nil)
        SSL_CTX_set_tlsext_ticket_key_evp_cb(context) { ssl, name, iv, cipher, mac, isNew in
            guard let ssl, let name, let iv, let store = CertificateStore.of(ssl) else { return -1 }
            return store.tickets.prepare(ssl, name, iv, cipher, mac, isNew: isNew == 1)
        }
    }

    /// Whether a connection asks for the certificate of a challenge.
    static func isChallenge(_ ssl: OpaquePointer) -> Bool { SSL_get_ex_data(ssl, 0) != nil }

    /// Marks a connection that asks for the certificate of a challenge. An authority has no certificate to show; nobody
    /// may come back to the site with the session of such a connection.
    private static func beginChallenge(_ ssl: OpaquePointer) {
        SSL_set_ex_data(ssl, 0, UnsafeMutableRawPointer(bitPattern: 1))
        SSL_set_verify(ssl, SSL_VERIFY_NONE, nil)
        let name = CertificateStore.challengeProtocol
        SSL_set_session_id_context(ssl, name, UInt32(name.count))
    }

    /// Whether a client says that it wants the certificate that proves who runs this server (RFC 8737 §3).
    private static func asksForChallenge(_ ssl: OpaquePointer) -> Bool {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        let kind = UInt32(TLSEXT_TYPE_application_layer_protocol_negotiation)
        // ProtocolNameList, with two bytes for its length before it.
        guard SSL_client_hello_get0_ext(ssl, kind, &bytes, &count) == 1, let bytes, count > 2 else { return false }
        return place(of: CertificateStore.challengeProtocol, in: bytes + 2, count - 2) != nil
    }

    /// Returns the offset of a protocol's name among those that a client offers: each has a byte for its length before
    /// it (RFC 7301 §3.1).
    static func place(of name: [UInt8], in offered: UnsafePointer<UInt8>?, _ count: Int) -> Int? {
        let offered = UnsafeBufferPointer(start: offered, count: count)
        var place = 0
        while place < offered.count {
            let length = Int(offered[place])
            guard length <= offered.count - place - 1 else { return nil }
            if offered[(place + 1)..<(place + 1 + length)].elementsEqual(name) { return place + 1 }
            place += 1 + length
        }
        return nil
    }
}

/// A failure that OpenSSL reports, in plain words where it is one that people meet, otherwise in its own.
///
/// OpenSSL keeps a queue of failures for each thread. What is left there would be taken for a later call's, so it is
/// emptied each time.
struct OpenSSLFailure: Error, CustomStringConvertible {
    let description: String
    /// Whether a text in PEM has come to its end.
    var isEndOfPEM = false
    /// Whether a client has sent a request of HTTP where a handshake should begin.
    var isPlainHTTP = false

    /// Takes the failures of the latest call. The first is the cause, the rest are what followed from it.
    static func take() -> OpenSSLFailure {
        let first = ERR_get_error()
        ERR_clear_error()
        let reason = error_is_tls(first) != 0 ? error_reason(first) : nil
        let words = reason.flatMap { plainWords[$0] }
        let own = ERR_reason_error_string(first).map { String(cString: $0) }
        return OpenSSLFailure(
            description: words ?? own ?? "no reason given", isEndOfPEM: error_is_end_of_pem(first) != 0,
            isPlainHTTP: reason == SSL_R_HTTP_REQUEST)
    }

    /// The failures of a handshake that are the client's or the certificate's, and not a programmer's.
    private static let plainWords: [Int32: String] = [
        SSL_R_HTTP_REQUEST: "the client spoke HTTP without TLS",
        SSL_R_HTTPS_PROXY_REQUEST: "the client took the server for a proxy",
        SSL_R_WRONG_VERSION_NUMBER: "the client did not speak TLS",
        SSL_R_UNSUPPORTED_PROTOCOL: "the client knows no TLS as new as 1.2",
        SSL_R_VERSION_TOO_LOW: "the client knows no TLS as new as 1.2",
        SSL_R_NO_SHARED_CIPHER: "the client knows none of the ciphers",
        SSL_R_NO_SUITABLE_KEY_SHARE: "the client knows none of the key exchanges",
        SSL_R_NO_SHARED_GROUPS: "the client knows none of the key exchanges",
        SSL_R_NO_APPLICATION_PROTOCOL: "the client wants neither HTTP/2 nor HTTP/1.1",
        SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: "the client has shown no certificate, which TLS_CLIENT_CA asks for",
        SSL_R_CERTIFICATE_VERIFY_FAILED: "the client's certificate is not one of TLS_CLIENT_CA's",
        SSL_R_TLSV1_ALERT_UNKNOWN_CA: "the client does not trust who has issued the certificate",
        SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN: "the client does not trust the certificate",
        SSL_R_SSLV3_ALERT_BAD_CERTIFICATE: "the client does not accept the certificate",
        SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED: "the certificate has expired, says the client",
        SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE: "the client could not agree on how to go on",
        SSL_R_TLSV1_ALERT_PROTOCOL_VERSION: "the client wants another version of TLS",
        SSL_R_CALLBACK_FAILED: "there is no certificate yet",
        SSL_R_UNEXPECTED_EOF_WHILE_READING: "the client left",
    ]
}
