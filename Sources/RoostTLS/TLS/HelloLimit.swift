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
