internal import COpenSSL

/// A failure that OpenSSL reports, in plain words where it is one that people meet, otherwise in its own.
///
/// OpenSSL keeps a queue of failures for each thread. What is left there would be taken for a later call's, so it is
/// emptied each time.
struct OpenSSLFailure: Error, CustomStringConvertible {
    let description: String
    /// Whether a text in PEM has come to its end.
    var isEndOfPEM = false

    /// Takes the failures of the latest call. The first is the cause, the rest are what followed from it.
    static func take() -> OpenSSLFailure {
        let first = ERR_get_error()
        ERR_clear_error()
        let words = error_is_tls(first) != 0 ? plainWords[error_reason(first)] : nil
        let own = ERR_reason_error_string(first).map { String(cString: $0) }
        return OpenSSLFailure(
            description: words ?? own ?? "no reason given", isEndOfPEM: error_is_end_of_pem(first) != 0)
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
