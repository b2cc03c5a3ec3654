/// What a connection has received but not used yet: the bytes from `cursor` on.
///
/// Usually these are in the loop's own read buffer, and are used up before the next connection reads. The rest of an
/// incomplete request moves into memory of its own, so that a connection without one has none.
struct ReceivedInput {
    private(set) var bytes: MessageBytes?
    var cursor = 0

    /// How many bytes are not used yet.
    var count: Int { bytes.map { $0.count - cursor } ?? 0 }

    var isEmpty: Bool { count == 0 }

    /// Whether it has memory of its own although clients already have as much as they may have together.
    func isTooMuch(in group: ConnectionGroup) -> Bool {
        guard let bytes, bytes.capacity > Self.uncounted else { return false }
        return !group.memory.hasRoom(for: 0, of: bytes.capacity)
    }

    /// Memory to read more into.
    mutating func room(in group: ConnectionGroup) -> MessageBytes {
        guard let bytes else {
            let buffer = group.takeReadBuffer()
            self.bytes = buffer
            cursor = 0
            return buffer
        }
        if bytes.count < bytes.capacity { return bytes }
        return move(capacity: max(count * 2, ConnectionGroup.readSize), group.memory)
    }

    /// Keeps the rest until more comes, in memory that is not the loop's; lets go of everything when nothing is left.
    mutating func keepRest(in group: ConnectionGroup) {
        guard let bytes, cursor < bytes.count else { return clear() }
        if group.owns(bytes) { move(capacity: max(1024, count * 2), group.memory) }
    }

    mutating func clear() {
        bytes = nil
        cursor = 0
    }

    /// How much of a client's input here is not counted, in bytes: usually a head that came in two pieces.
    private static let uncounted = 4096

    @discardableResult
    private mutating func move(capacity: Int, _ memory: MemoryBudget) -> MessageBytes {
        let rest = bytes?.slice(ByteRange(cursor, bytes?.count ?? 0))
        let lease = capacity > Self.uncounted ? MemoryLease(capacity, of: memory) : nil
        let moved = MessageBytes(
            copying: rest ?? UnsafeBufferPointer(start: nil, count: 0), capacity: capacity, lease: lease)
        bytes = moved
        cursor = 0
        return moved
    }
}
