/// The events of a topic from a certain one on. The sequence never ends by itself.
///
///     for try await message in topic.subscribe() { print(message.id, message.event) }
///
/// It throws ``FellBehind`` when the loop's body is so slow that the topic no longer keeps the next event, and
/// `CancellationError` when its task is cancelled.
public struct TopicSubscription<Event: Sendable>: AsyncSequence, Sendable {
    private let topic: Topic<Event>
    private let share: TopicShare
    /// The last event that is here already.
    private let known: Int
    /// The id after which it begins; that event may be committed, but not have reached this process yet.
    public let lastID: Int
    /// Whether it should have begun earlier, but the events since then are no longer known.
    public let hasMissedEvents: Bool

    /// - Parameter known: The last event that is here already, if that is before the one after which it begins.
    init(
        _ topic: Topic<Event>, _ share: TopicShare, after id: Int, known: Int? = nil, hasMissedEvents: Bool
    ) {
        self.topic = topic
        self.share = share
        lastID = id
        self.known = Swift.min(known ?? id, id)
        self.hasMissedEvents = hasMissedEvents
    }

    /// The maximum number of events that the topic keeps.
    var capacity: Int { topic.capacity }

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator(topic, share, after: lastID, known: known) }

    /// The reading position of one subscriber.
    public final class Iterator: AsyncIteratorProtocol {
        private let topic: Topic<Event>
        private let share: TopicShare
        private let place: Int
        private var lastID: Int
        /// Events up to this one are passed over when they come.
        private let start: Int

        init(_ topic: Topic<Event>, _ share: TopicShare, after id: Int, known: Int) {
            self.topic = topic
            self.share = share
            place = share.enter()
            start = id
            lastID = known
        }

        deinit { share.leave(place) }

        /// Waits for the next event.
        public func next() async throws -> TopicMessage<Event>? {
            while true {
                if let message = try available() { return message }
                try await share.wait(at: place) { topic.lastID != lastID }
            }
        }

        /// The next event if there is one already.
        func available() throws(FellBehind) -> TopicMessage<Event>? {
            while let message = try topic.next(after: lastID) {
                lastID = message.id
                if message.id > start { return message }
            }
            return nil
        }
    }
}

/// A subscriber has been so slow that the topic no longer keeps the next event. It may subscribe again, and is then
/// told that it has missed something.
public struct FellBehind: Error, CustomStringConvertible {
    /// A sentence that says what has happened.
    public var description: String { "A subscriber has fallen behind what its topic keeps." }
}
