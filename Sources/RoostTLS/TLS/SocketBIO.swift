internal import COpenSSL
import Glibc

/// A socket as OpenSSL reads and writes it: with the loop's own calls, and no more of them than needed.
///
/// A read that brings less than was asked for has taken everything, so the next one is answered without the system. A
/// client gets one real read for each time that the loop reports it, however much it sends.
struct SocketBIO {
    private let descriptor: Int32
    /// Whether the socket may be read once more.
    private var mayRead = false
    /// Whether the last read brought as much as was asked for, so that there may be more.
    private(set) var hasMore = false
    /// Whether the client has shut down its side.
    private(set) var hasEnded = false
    /// Whether the client has sent anything.
    private(set) var hasReceived = false
    /// The limit on a ClientHello, as long as one may come.
    var hello: HelloLimit? = HelloLimit()
    /// Whether another write follows at once, so that the system may send both together.
    var willWriteMore = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Allows one read.
    mutating func allowRead() { mayRead = true }

    private mutating func read(_ memory: UnsafeMutablePointer<CChar>, _ size: Int) -> Result {
        guard mayRead else { return .retry }
        let count = Glibc.read(descriptor, memory, size)
        mayRead = false
        hasMore = count == size
        if count > 0 {
            hasReceived = true
            hello?.follow(UnsafeRawBufferPointer(start: memory, count: count))
            return hello?.isExceeded ?? false ? .failed : .bytes(count)
        }
        if count == 0 { hasEnded = true }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .retry : .failed
    }

    private mutating func write(_ bytes: UnsafePointer<CChar>, _ size: Int) -> Result {
        let count = Glibc.send(descriptor, bytes, size, willWriteMore ? Int32(MSG_MORE) : 0)
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EINTR ? .retry : .failed
    }

    /// Sends a text without TLS, and drops what the client has sent by now: closing a socket with unread bytes resets
    /// it, and the text could be lost.
    func answer(_ text: String) {
        let text = Array(text.utf8)
        _ = Glibc.send(descriptor, text, text.count, 0)
        _ = withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) {
            Glibc.read(descriptor, $0.baseAddress, $0.count)
        }
    }

    private enum Result {
        case bytes(Int)
        case retry, failed
    }

    /// A BIO for a socket, which must outlive it; nil without memory.
    static func make(_ socket: UnsafeMutablePointer<SocketBIO>) -> OpaquePointer? {
        guard let method, let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, socket)
        BIO_set_init(bio, 1)
        return bio
    }

    /// As with `@unchecked Sendable`, the promise is ours: it is never changed once it is made.
    nonisolated(unsafe) private static let method: OpaquePointer? = {
        guard let method = BIO_meth_new(BIO_get_new_index() | Int32(BIO_TYPE_SOURCE_SINK), "loop") else { return nil }
        BIO_meth_set_read_ex(method) { bio, memory, size, count in
            guard let bio, let memory, let socket = SocketBIO.of(bio) else { return 0 }
            bio_clear_retry(bio)
            switch socket.pointee.read(memory, size) {
            case .bytes(let read):
                count?.pointee = read
                return 1
            case .retry: bio_retry_read(bio)
            case .failed: break
            }
            return 0
        }
        BIO_meth_set_write_ex(method) { bio, bytes, size, count in
            guard let bio, let bytes, let socket = SocketBIO.of(bio) else { return 0 }
            bio_clear_retry(bio)
            switch socket.pointee.write(bytes, size) {
            case .bytes(let written):
                count?.pointee = written
                return 1
            case .retry: bio_retry_write(bio)
            case .failed: break
            }
            return 0
        }
        BIO_meth_set_ctrl(method) { bio, command, _, _ in
            switch command {
            case BIO_CTRL_FLUSH: 1
            case BIO_CTRL_EOF: bio.flatMap(SocketBIO.of)?.pointee.hasEnded ?? true ? 1 : 0
            default: 0
            }
        }
        return method
    }()

    private static func of(_ bio: OpaquePointer) -> UnsafeMutablePointer<SocketBIO>? {
        BIO_get_data(bio)?.assumingMemoryBound(to: SocketBIO.self)
    }
}
