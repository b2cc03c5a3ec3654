internal import COpenSSL
package import Roost

// TLS between a socket and its connection. OpenSSL's part is a value without a socket of its own: `SocketBIO` reads and
// writes for it, when the connection says so. Whatever a peer sends, OpenSSL answers with a failure at worst, and the
// connection is closed.

/// A TLS connection of one client.
///
/// Used on the loop's thread only.
package final class TLSTransport: Transport {
    private let ssl: OpaquePointer
    private let socket: UnsafeMutablePointer<SocketBIO>
    private let pieces: FilePieces
    /// Handshakes refer to it.
    private let store: CertificateStore
    /// Whether the connection is of no use any more, so that not even its end may be told.
    private var isBroken = false
    private var hasEnded = false
    /// Whether there may be more to read, also while nothing may be read (``isMidRecord``).
    private var isMoreLeft = false
    /// Whether a record has been sent in part. The next bytes that are offered belong to it.
    private var isMidRecord = false
    package var hasMore: Bool { isMoreLeft && !isMidRecord }
    package private(set) var hasToWrite = false
    package var holdsPart: Bool { SSL_has_pending(ssl) != 0 }
    package private(set) var handshake = Handshake.notBegun

    /// Begins a handshake on a socket; nil without memory, and while there is no certificate.
    init?(_ descriptor: Int32, _ store: CertificateStore, _ pieces: FilePieces) {
        guard let ssl = store.first?.makeConnection() else { return nil }
        self.ssl = ssl
        self.store = store
        self.pieces = pieces
        socket = .allocate(capacity: 1)
        socket.initialize(to: SocketBIO(descriptor))
        let bio = SocketBIO.make(socket)
        SSL_set_bio(ssl, bio, bio)
        SSL_set_accept_state(ssl)
        if bio == nil { fail() }
    }

    deinit {
        SSL_free(ssl)
        socket.deallocate()
    }

    package func read(into memory: UnsafeMutableRawBufferPointer) -> Transfer {
        guard !isBroken else { return .failed }
        // OpenSSL answers a client that asks for new keys (RFC 8446 §4.6.3) at once, and ends the connection if it is
        // in the middle of a record. So nothing is read until that has been sent.
        if isMidRecord {
            (isMoreLeft, hasToWrite) = (true, true)
            return .wouldBlock
        }
        socket.pointee.allowRead()
        hasToWrite = false
        var count = 0
        while count < memory.count {
            ERR_clear_error()
            var read = 0
            let result = SSL_read_ex(ssl, memory.baseAddress?.advanced(by: count), memory.count - count, &read)
            noteHandshake()
            // The authority has seen the proof, and nothing else passes (RFC 8737 §3).
            if isEstablished, TLSContext.isChallenge(ssl) { return .end }
            guard result > 0 else { return stopped(result, after: count) }
            count += read
            // Nothing is left with OpenSSL, and nothing with the socket.
            if !socket.pointee.hasMore, SSL_has_pending(ssl) == 0 { break }
        }
        isMoreLeft = socket.pointee.hasMore || SSL_has_pending(ssl) != 0
        return .bytes(count)
    }

    /// OpenSSL has no more bytes for now.
    private func stopped(_ result: Int32, after count: Int) -> Transfer {
        isMoreLeft = socket.pointee.hasMore
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: break
        case SSL_ERROR_WANT_WRITE: hasToWrite = true
        case SSL_ERROR_ZERO_RETURN:
            if !isEstablished { fail("the client left") }
            // The bytes before the end are told first; the end is still there then.
            if count == 0 { return isBroken ? .failed : .end }
            isMoreLeft = true
        default:
            let isTooLarge = socket.pointee.hello?.isExceeded ?? false
            fail(isTooLarge ? "the client announced a ClientHello that is too large" : nil)
            if count == 0 { return .failed }
            isMoreLeft = true
        }
        return count > 0 ? .bytes(count) : .wouldBlock
    }

    private func noteHandshake() {
        switch handshake {
        case .done, .failed: break
        case .notBegun, .begun:
            if SSL_is_init_finished(ssl) != 0 {
                handshake = .done
            } else if socket.pointee.hasReceived {
                handshake = .begun
            }
            // OpenSSL takes a connection for TLS 1.3 at first; only there, a second ClientHello may come.
            if isEstablished || SSL_version(ssl) != TLS1_3_VERSION { socket.pointee.hello = nil }
        }
    }

    /// Whether requests and responses can pass.
    private var isEstablished: Bool { if case .done = handshake { true } else { false } }

    package var speaksHTTP2: Bool {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        return UnsafeBufferPointer(start: name, count: Int(count)).elementsEqual(CertificateStore.http2)
    }

    /// The answer to a request that comes without TLS: people open `http://` with the port of HTTPS.
    private static let plainHTTP: String = {
        let text = "This port speaks HTTPS: the address begins with https://.\n"
        return "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n\(text)"
    }()

    private func fail(_ reason: String? = nil) {
        isBroken = true
        let failure = OpenSSLFailure.take()
        if isEstablished { return }
        if failure.isPlainHTTP { socket.pointee.answer(Self.plainHTTP) }
        handshake = socket.pointee.hasReceived ? .failed(reason ?? failure.description) : .notBegun
    }

    package func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Transfer {
        guard isEstablished, !isBroken, !hasEnded, !TLSContext.isChallenge(ssl) else { return .failed }
        var count = 0
        while count < bytes.count {
            ERR_clear_error()
            var written = 0
            socket.pointee.willWriteMore = bytes.count - count > Self.record
            let result = SSL_write_ex(ssl, bytes.baseAddress?.advanced(by: count), bytes.count - count, &written)
            if result > 0 {
                count += written
                isMidRecord = false
                continue
            }
            let reason = SSL_get_error(ssl, result)
            switch reason {
            case SSL_ERROR_WANT_WRITE, SSL_ERROR_WANT_READ:
                isMidRecord = reason == SSL_ERROR_WANT_WRITE
                return count > 0 ? .bytes(count) : .wouldBlock
            default:
                fail()
                return .failed
            }
        }
        return .bytes(count)
    }

    /// The most bytes that go out at once, encrypted as one (RFC 8446 §5.1).
    private static let record = 16 * 1024

    package func send(_ file: Int32, _ range: Range<Int>) throws(FileReadError) -> Transfer {
        try write(pieces.read(file, range))
    }

    /// Tells the client that nothing more comes (RFC 8446 §6.1), if it can still be told.
    package func end() {
        guard isEstablished, !isBroken, !hasEnded else { return }
        hasEnded = true
        // The rest of a record that has been sent in part never goes out, so reading does not wait for it.
        isMidRecord = false
        SSL_shutdown(ssl)
        ERR_clear_error()
    }
}

/// Memory that a loop reads pieces of files into, which have to be encrypted before they are sent.
///
/// They are read and not mapped: a mapped file that somebody makes shorter would end the process (mmap(2), SIGBUS).
final class FilePieces {
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 64)

    deinit { memory.deallocate() }

    /// The beginning of a part of a file.
    func read(_ file: Int32, _ range: Range<Int>) throws(FileReadError) -> UnsafeBufferPointer<UInt8> {
        let piece = UnsafeMutableRawBufferPointer(rebasing: memory[..<min(memory.count, range.count)])
        try OpenFile.fill(piece, from: file, at: range.lowerBound)
        return UnsafeBufferPointer(piece.bindMemory(to: UInt8.self))
    }
}
