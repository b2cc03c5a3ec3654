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

/// A limit on the first message of a client, the ClientHello, before it is whole.
///
/// OpenSSL takes memory for a whole message as soon as it has the four bytes that announce its length, up to 128 KiB
/// for a ClientHello: so a client could cost that much without sending it. Real ones have some hundred bytes, or 2 KiB
/// with keys that stand against quantum computers. OpenSSL has smaller limits for all other messages.
///
/// It follows the records (RFC 8446 §5.1) as far as a ClientHello can come: in TLS 1.3, also after a HelloRetryRequest.
/// A message may begin anywhere in a record and go on in the next; its four bytes may be split, too.
struct HelloLimit {
    /// The most bytes of a ClientHello.
    static let size = 16 * 1024

    private static let handshake: UInt8 = 22
    private static let clientHello: UInt32 = 1

    /// Whether a ClientHello has announced more than the limit.
    private(set) var isExceeded = false
    /// The number of bytes of the header of a record that have come, of 5.
    private var headCount = 0
    private var kind: UInt8 = 0
    /// The bytes that are still to come of the record.
    private var recordLeft = 0
    /// The number of bytes of the header of a message that have come, of 4, and what they say.
    private var announcementCount = 0
    private var announcement: UInt32 = 0
    /// The bytes that are still to come of the message.
    private var messageLeft = 0

    /// Follows bytes that the client has sent, each only once.
    mutating func follow(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while let byte = rest.first, !isExceeded {
            if headCount < 5 {
                rest.removeFirst()
                followHead(byte)
            } else if Self.handshake != kind {
                skip(recordLeft, of: &rest)
            } else if messageLeft > 0 {
                messageLeft -= skip(messageLeft, of: &rest)
            } else {
                rest.removeFirst()
                recordLeft -= 1
                announce(byte)
            }
            if headCount == 5, recordLeft == 0 { headCount = 0 }
        }
    }

    private mutating func followHead(_ byte: UInt8) {
        if headCount == 0 { (kind, recordLeft) = (byte, 0) }
        // Between them is the version.
        if headCount >= 3 { recordLeft = recordLeft << 8 | Int(byte) }
        headCount += 1
    }

    private mutating func announce(_ byte: UInt8) {
        announcement = announcement << 8 | UInt32(byte)
        announcementCount += 1
        guard announcementCount == 4 else { return }
        announcementCount = 0
        messageLeft = Int(announcement & 0xff_ffff)
        isExceeded = announcement >> 24 == Self.clientHello && messageLeft > Self.size
    }

    /// Passes over bytes of the record, at most as many as there are.
    @discardableResult
    private mutating func skip(_ wanted: Int, of rest: inout Slice<UnsafeRawBufferPointer>) -> Int {
        let count = min(wanted, recordLeft, rest.count)
        rest.removeFirst(count)
        recordLeft -= count
        return count
    }
}
