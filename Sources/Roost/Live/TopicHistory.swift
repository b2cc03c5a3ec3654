/// The last events of a topic, in a ring. Their ids have no gaps.
struct TopicHistory<Event: Sendable> {
    /// The id of the last event, or the one after which ids begin.
    private(set) var lastID: Int
    let capacity: Int
    private var messages: [TopicMessage<Event>] = []
    /// The id of the message that was the first to be put into the ring.
    private var base: Int

    init(capacity: Int, lastID: Int) {
        self.capacity = capacity
        self.lastID = lastID
        base = lastID + 1
    }

    /// Appends the message with the next id.
    mutating func append(_ message: TopicMessage<Event>) {
        if messages.count < capacity {
            messages.append(message)
        } else {
            messages[(message.id - base) % capacity] = message
        }
        lastID = message.id
    }

    /// Forgets everything; the next id is one more than this.
    mutating func restart(after id: Int) {
        messages.removeAll()
        lastID = id
        base = id + 1
    }

    /// Whether all events after an id are here.
    func reaches(after id: Int) -> Bool { id <= lastID && id >= lastID - messages.count }

    /// The id after which the last events begin: this many, or fewer if fewer are here.
    func id(beforeLast count: Int) -> Int { lastID - min(max(0, count), messages.count) }

    /// The event after an id; nil when that is the last one.
    /// - Throws: ``FellBehind`` when it is no longer kept.
    func next(after id: Int) throws(FellBehind) -> TopicMessage<Event>? {
        guard reaches(after: id) else { throw FellBehind() }
        return id == lastID ? nil : messages[(id + 1 - base) % capacity]
    }
}
