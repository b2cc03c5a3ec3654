/// Messages that have come and that nobody has read yet.
struct MessageQueue {
    private struct Entry {
        let message: WebSocketMessage
        /// The memory that a large message takes from what clients may use together; nil for a small one.
        let lease: MemoryLease?
    }

    /// The ones before `first` have been read, and are empty.
    private var entries: [Entry?] = []
    private var first = 0
    private var size = 0

    /// The size in bytes from which the queue is full, and the client has to wait.
    private static let capacity = 16 * 1024
    /// The bytes that each message counts in addition to its content.
    private static let overhead = 64

    var isEmpty: Bool { first == entries.count }

    /// Whether one more, of any size, may be added.
    var hasRoom: Bool { size < Self.capacity }

    mutating func append(_ message: WebSocketMessage, _ memory: MemoryBudget) {
        let count = message.count
        entries.append(Entry(message: message, lease: count > 4096 ? MemoryLease(count, of: memory) : nil))
        size += count + Self.overhead
    }

    mutating func popFirst() -> WebSocketMessage? {
        guard first < entries.count, let message = entries[first].take()?.message else { return nil }
        first += 1
        size -= message.count + Self.overhead
        if first == entries.count {
            entries = []
            first = 0
        } else if first > entries.count / 2 {
            entries.removeFirst(first)
            first = 0
        }
        return message
    }
}
