/// The bytes that a connection has received but not used yet: those from `cursor` on.
///
/// Usually these are in the loop's own read buffer, and are used up before the next connection reads. The rest of an
/// incomplete request moves into memory of its own, so that a connection without one has none.
struct ReceivedInput {
    private(set) var bytes: MessageBytes?
    var cursor = 0

    /// The number of bytes that are not used yet.
    var count: Int { bytes.map { $0.count - cursor } ?? 0 }

    var isEmpty: Bool { count == 0 }

    /// Whether a request begins here that asks for the head of a response alone.
    var beginsWithHEAD: Bool {
        bytes?.slice(ByteRange(cursor, cursor + count)).starts(with: "HEAD ".utf8) ?? false
    }

    /// Whether more can be read without more memory than clients may have together.
    func hasRoom(in group: ConnectionGroup) -> Bool {
        if let bytes, bytes.count < bytes.capacity { return true }
        return group.memory.hasRoom(for: ConnectionGroup.readSize, of: 2 * ConnectionGroup.readSize)
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

    /// Keeps what is not used yet until more comes, in memory that is not the loop's; lets go of everything when
    /// nothing is left. False when clients already have as much in memory as they may have together, apart from what is
    /// not counted.
    mutating func keepUnread(in group: ConnectionGroup) -> Bool {
        guard let bytes, cursor < bytes.count else {
            clear()
            return true
        }
        guard group.owns(bytes) else {
            return bytes.capacity <= MemoryBudget.uncounted || group.memory.hasRoom(for: 0, of: bytes.capacity)
        }
        let capacity = max(1024, count * 2)
        guard capacity <= MemoryBudget.uncounted || group.memory.hasRoom(for: capacity, of: capacity)
        else { return false }
        move(capacity: capacity, group.memory)
        return true
    }

    mutating func clear() {
        bytes = nil
        cursor = 0
    }

    @discardableResult
    private mutating func move(capacity: Int, _ memory: MemoryBudget) -> MessageBytes {
        let rest = bytes?.slice(ByteRange(cursor, bytes?.count ?? 0))
        let lease = capacity > MemoryBudget.uncounted ? MemoryLease(capacity, of: memory) : nil
        let moved = MessageBytes(
            copying: rest ?? UnsafeBufferPointer(start: nil, count: 0), capacity: capacity, lease: lease)
        bytes = moved
        cursor = 0
        return moved
    }
}
