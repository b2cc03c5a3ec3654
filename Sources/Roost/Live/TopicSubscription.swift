/// The events of a topic from a certain one on. The sequence never ends by itself.
///
///     for try await message in topic.subscribe() { print(message.id, message.event) }
///
/// It throws ``FellBehind`` when the loop's body is so slow that the topic no longer keeps the next event, and
/// `CancellationError` when its task is cancelled.
public struct TopicSubscription<Event: Sendable>: AsyncSequence, Sendable {
    /// An event with its id.
    public typealias Element = TopicMessage<Event>
    /// ``FellBehind`` or `CancellationError`.
    public typealias Failure = any Error

    private let share: TopicShare<Event>
    /// The id after which it begins.
    public let lastID: Int
    /// Whether it was to begin earlier, but there is no telling what has happened since then.
    public let hasMissedEvents: Bool

    init(_ share: TopicShare<Event>, after id: Int, hasMissedEvents: Bool) {
        self.share = share
        lastID = id
        self.hasMissedEvents = hasMissedEvents
    }

    /// How many events the topic keeps.
    var capacity: Int { share.capacity }

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator(share, after: lastID) }

    /// How far one subscriber has read.
    public final class Iterator: AsyncIteratorProtocol {
        private let share: TopicShare<Event>
        private let place: Int
        private var lastID: Int

        init(_ share: TopicShare<Event>, after id: Int) {
            self.share = share
            place = share.enter()
            lastID = id
        }

        deinit { share.leave(place) }

        /// Waits for the next event.
        public func next() async throws -> TopicMessage<Event>? {
            while true {
                if let message = try available() { return message }
                try await share.wait(at: place, after: lastID)
            }
        }

        /// The next event if there is one already.
        func available() throws(FellBehind) -> TopicMessage<Event>? {
            guard let message = try share.next(after: lastID) else { return nil }
            lastID = message.id
            return message
        }
    }
}
