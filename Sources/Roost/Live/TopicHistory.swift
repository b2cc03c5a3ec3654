/// The last events of a topic, in a ring. Their ids have no gaps.
struct TopicHistory<Event: Sendable> {
    /// The id of the last event, or the one after which ids begin.
    private(set) var lastID: Int
    let capacity: Int
    private var entries: [TopicEntry<Event>] = []
    /// The id of the event that was the first to be put into the ring.
    private var base: Int

    init(capacity: Int, lastID: Int) {
        self.capacity = capacity
        self.lastID = lastID
        base = lastID + 1
    }

    /// Appends the event with the next id.
    mutating func append(_ entry: TopicEntry<Event>) {
        let id = entry.id
        if entries.count < capacity {
            entries.append(entry)
        } else {
            entries[(id - base) % capacity] = entry
        }
        lastID = id
    }

    /// Forgets everything; the next id is one more than this.
    mutating func restart(after id: Int) {
        entries.removeAll()
        lastID = id
        base = id + 1
    }

    /// Whether all events after an id are here.
    func reaches(after id: Int) -> Bool { id <= lastID && id >= lastID - entries.count }

    /// The id after which the last events begin: this many, or fewer if fewer are here.
    func id(beforeLast count: Int) -> Int { lastID - min(max(0, count), entries.count) }

    /// The event after an id; nil when that is the last one.
    /// - Throws: ``FellBehind`` when it is no longer kept.
    func next(after id: Int) throws(FellBehind) -> TopicEntry<Event>? {
        guard reaches(after: id) else { throw FellBehind() }
        return id == lastID ? nil : entries[(id + 1 - base) % capacity]
    }

    /// The events after an id that may have to be decoded yet.
    func encoded(after id: Int) -> [EncodedEvent<Event>] {
        guard reaches(after: id), id < lastID else { return [] }
        return ((id + 1)...lastID).compactMap { id in
            if case .encoded(let event) = entries[(id - base) % capacity] { event } else { nil }
        }
    }
}

/// An event in the history of a topic.
enum TopicEntry<Event: Sendable>: Sendable {
    case message(TopicMessage<Event>)
    case encoded(EncodedEvent<Event>)

    var id: Int {
        switch self {
        case .message(let message): message.id
        case .encoded(let event): event.id
        }
    }

    /// The event as subscribers get it; nil if it cannot be decoded.
    var message: TopicMessage<Event>? {
        switch self {
        case .message(let message): message
        case .encoded(let event): event.message
        }
    }
}
