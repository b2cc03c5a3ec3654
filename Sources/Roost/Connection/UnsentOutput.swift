/// What a client has been answered and has not taken yet.
struct UnsentOutput {
    let buffer: ByteBuffer
    private var sent = 0

    /// A copy of bytes that did not fit into the socket.
    init(copying bytes: UnsafeBufferPointer<UInt8>) {
        buffer = ByteBuffer(capacity: bytes.count)
        buffer.append(bytes)
    }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: buffer.written[sent...]) }

    var isEmpty: Bool { sent == buffer.count }

    mutating func take(_ count: Int) { sent += count }
}
