/// The output for a client that the socket has not taken yet.
struct UnsentOutput {
    private let buffer: ByteBuffer
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

    /// The size of the buffer's memory in bytes.
    var capacity: Int { buffer.capacity }

    mutating func take(_ count: Int) { sent += count }

    /// Adds bytes that follow the others. False when clients have as much in memory as they may have.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let missing = buffer.count + bytes.count - buffer.capacity
        // As the buffer grows.
        if missing > 0, !lease.hasGrown(by: max(missing, buffer.capacity)) { return false }
        buffer.append(bytes)
        return true
    }
}
