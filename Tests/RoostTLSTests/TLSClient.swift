import COpenSSL
import Glibc
import RoostTesting
import Synchronization

/// A client of TLS on a connected socket, for tests: each call blocks a thread of its own.
///
/// `@unchecked Sendable`: a test makes one call after the other.
final class TLSClient: @unchecked Sendable {
    struct Options: Sendable {
        var host: String? = "localhost"
        var protocols = ["http/1.1"]
        var version = TLS1_3_VERSION
        /// A session of an earlier connection.
        var session: Session?
        /// The certificate that the client shows.
        var certificate: (certificate: [UInt8], key: [UInt8])?
    }

    /// A session to come back with.
    ///
    /// `@unchecked Sendable`: OpenSSL counts its references.
    final class Session: @unchecked Sendable {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { self.pointer = pointer }
        deinit { SSL_SESSION_free(pointer) }
    }

    private let context: OpaquePointer?
    private let ssl: OpaquePointer?
    let socket: Int32

    init(_ socket: Int32, _ options: Options = Options()) {
        self.socket = socket
        let flags = fcntl(socket, F_GETFL)
        _ = fcntl(socket, F_SETFL, flags & ~O_NONBLOCK)
        context = SSL_CTX_new(TLS_client_method())
        ssl_ctx_set_up(context)
        ssl = SSL_new(context)
        SSL_set_fd(ssl, socket)
        SSL_set_connect_state(ssl)
        SSL_ctrl(ssl, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(options.version), nil)
        SSL_ctrl(ssl, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(options.version), nil)
        if options.version < TLS1_2_VERSION { SSL_set_cipher_list(ssl, "DEFAULT@SECLEVEL=0") }
        if let host = options.host {
            var name = Array(host.utf8CString)
            SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), &name)
        }
        let offered = options.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !offered.isEmpty { SSL_set_alpn_protos(ssl, offered, UInt32(offered.count)) }
        if let session = options.session { resume(session) }
        if let shown = options.certificate { show(shown) }
    }

    deinit {
        SSL_free(ssl)
        SSL_CTX_free(context)
        close(socket)
    }

    /// OpenSSL lets nobody come back with the session of a connection that has not been ended properly: so with a copy.
    private func resume(_ session: Session) {
        let copy = SSL_SESSION_dup(session.pointer)
        SSL_set_session(ssl, copy)
        SSL_SESSION_free(copy)
    }

    private func show(_ shown: (certificate: [UInt8], key: [UInt8])) {
        let bio = BIO_new_mem_buf(shown.certificate, Int32(shown.certificate.count))
        let keyBIO = BIO_new_mem_buf(shown.key, Int32(shown.key.count))
        SSL_use_certificate(ssl, PEM_read_bio_X509(bio, nil, nil, nil))
        SSL_use_PrivateKey(ssl, PEM_read_bio_PrivateKey(keyBIO, nil, nil, nil))
        BIO_free(bio)
        BIO_free(keyBIO)
    }

    /// Shakes hands; false when that fails.
    func connect() async throws -> Bool {
        try await BlockingThread.run { [self] in
            ERR_clear_error()
            return SSL_do_handshake(ssl) == 1
        }
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        try await BlockingThread.run { [self] in
            var offset = 0
            while offset < bytes.count {
                let count = SSL_write(ssl, Array(bytes[offset...]), Int32(bytes.count - offset))
                guard count > 0 else { throw CancellationError() }
                offset += Int(count)
            }
        }
    }

    /// Reads until something is there, or to the end; `end` is whether the server has said that nothing more comes.
    func read(until marker: String? = nil, count: Int = .max) async throws -> (bytes: [UInt8], end: Bool) {
        try await BlockingThread.run { [self] in
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 16384)
            let marker = marker.map { Array($0.utf8) }
            while bytes.count < count {
                ERR_clear_error()
                let read = SSL_read(ssl, &piece, Int32(piece.count))
                guard read > 0 else { return (bytes, SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN != 0) }
                bytes += piece.prefix(Int(read))
                if let marker, bytes.suffix(marker.count + Int(read)).firstRange(of: marker) != nil { break }
            }
            return (bytes, false)
        }
    }

    func text(until marker: String) async throws -> String {
        String(decoding: try await read(until: marker).bytes, as: UTF8.self)
    }

    var wasResumed: Bool { SSL_session_reused(ssl) == 1 }

    /// The session, once something has been read.
    var session: Session? { SSL_get1_session(ssl).map(Session.init) }

    var chosenProtocol: String {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    }

    /// Whether the server's certificate is for a host.
    func isFor(_ host: String) -> Bool {
        let certificate = SSL_get1_peer_certificate(ssl)
        defer { X509_free(certificate) }
        return X509_check_host(certificate, host, 0, 0, nil) == 1
    }
}
