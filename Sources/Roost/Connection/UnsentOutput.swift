/// What a client has been sent and has not taken yet.
struct UnsentOutput {
    let buffer: ByteBuffer
    private var sent = 0
    private let lease: MemoryLease

    /// A copy of bytes that did not fit into the socket; nil when clients have as much in memory as they may have.
    init?(copying bytes: UnsafeBufferPointer<UInt8>, _ memory: MemoryBudget) {
        guard memory.hasRoom(for: bytes.count, of: bytes.count) else { return nil }
        lease = MemoryLease(bytes.count, of: memory)
        buffer = ByteBuffer(capacity: bytes.count)
        buffer.append(bytes)
    }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: buffer.written[sent...]) }

    var isEmpty: Bool { sent == buffer.count }

    mutating func take(_ count: Int) { sent += count }
}
