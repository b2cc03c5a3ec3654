import Synchronization

/// A source of the events that a live page follows: a topic whose events make browsers fetch the page again, or a
/// ``LivePage`` whose events change it.
///
///     routes.live(Self.path) { _ in [.refreshes(on: users.changes), .refreshes(on: rooms.changes)] }
public struct LiveUpdates: Sendable {
    let source: any LiveSource

    /// Makes browsers fetch the page again after each event of a topic.
    ///
    /// Viewers get no content with them: browsers fetch the page with their viewers' rights, at most once a second.
    /// - Parameters:
    ///   - isMeant: Returns whether an event concerns the page; by default, each does. It is called at most once for
    ///     each event and each viewer.
    ///   - news: Makes the sentence that screen readers read out; nil for none. It is content, and reaches only those
    ///     who may see the page.
    public static func refreshes<Event: Sendable>(
        on topic: any TopicProtocol<Event>, where isMeant: @escaping @Sendable (Event) -> Bool = { _ in true },
        news: @escaping @Sendable (Event) -> String? = { _ in nil }
    ) -> LiveUpdates {
        LiveUpdates(
            source: TopicSource(topic) { message in
                guard isMeant(message.event) else { return nil }
                return try LiveMessage(message.id, LiveEvent(.refresh, news: news(message.event)))
            })
    }

    /// Changes the page by the events of a ``LivePage``.
    public static func patches(of page: LivePage) -> LiveUpdates {
        LiveUpdates(source: TopicSource(page.topic) { LiveMessage($0.id, $0.event, $0.bytes) })
    }
}

/// A source of events, whatever the type of its topic's own.
protocol LiveSource: AnyObject, Sendable {
    /// The identity of the topic.
    var topicID: ObjectIdentifier { get }
    /// The id of the last event that this process knows.
    var lastID: Int { get }

    /// Sends events to a viewer until the viewer leaves.
    /// - Parameter id: The last event that the viewer's page contains; nil if that is not known.
    func follow(after id: String?, for viewer: LiveViewer) async throws
}

/// An event for viewers of a live page, as their streams send it.
struct LiveMessage: Sendable {
    let id: Int
    let event: LiveEvent
    /// The field with the event, and that with its id; all viewers share them.
    let bytes: [UInt8]

    init(_ id: Int, _ event: LiveEvent, _ bytes: [UInt8]) {
        self.id = id
        self.event = event
        self.bytes = bytes
    }

    /// An event that no topic has.
    init(_ id: Int, _ event: LiveEvent) throws { self.init(id, event, try event.fields(id: id)) }
}

extension LiveEvent {
    /// The event as a stream sends it.
    /// - Parameter id: Its id; nil if it moves no position.
    func fields(id: Int?) throws -> [UInt8] {
        try serverSentEvent().fields(id: id.map(String.init)) + "\n".utf8
    }
}

/// The progress of a viewer through a topic.
private struct LiveProgress {
    var skipped: SkippedEvents
    /// The bytes that have been sent since the loop last served others.
    var sizeSinceTurn = 0
}

/// A source whose events are made of those of a topic.
private final class TopicSource<Event: Sendable>: LiveSource {
    private let topic: any TopicProtocol<Event>
    /// Makes an event for viewers; nil if it does not concern them.
    private let make: @Sendable (TopicMessage<Event>) throws -> LiveMessage?
    /// The message that was made last: many viewers get the same one after another.
    private let last = Mutex<(id: Int, message: LiveMessage?)?>(nil)

    init(_ topic: any TopicProtocol<Event>, _ make: @escaping @Sendable (TopicMessage<Event>) throws -> LiveMessage?) {
        (self.topic, self.make) = (topic, make)
    }

    private func message(_ message: TopicMessage<Event>) throws -> LiveMessage? {
        if let known = last.withLock({ $0 }), known.id == message.id { return known.message }
        let made = try make(message)
        last.withLock { $0 = (message.id, made) }
        return made
    }

    var topicID: ObjectIdentifier { ObjectIdentifier(topic.events) }
    var lastID: Int { topic.events.lastID }

    func follow(after id: String?, for viewer: LiveViewer) async throws {
        var id = id
        while true {
            let subscription = try await topic.subscribe(after: id)
            if id == nil || subscription.hasMissedEvents {
                // The page then contains all events up to this one.
                try await viewer.send([LiveMessage(subscription.lastID, LiveEvent(.refresh))])
            }
            do {
                return try await follow(subscription, for: viewer)
            } catch is FellBehind {
                id = nil  // what the viewer has missed is in the page
            }
        }
    }

    private func follow(_ subscription: TopicSubscription<Event>, for viewer: LiveViewer) async throws {
        let messages = subscription.makeAsyncIterator()
        var progress = LiveProgress(skipped: SkippedEvents(capacity: subscription.capacity))
        while let first = try await messages.next() {
            let batch = try batch(first, messages, &progress)
            if batch.isEmpty { continue }
            try await viewer.send(batch)
            // The loop serves others, too, even if the viewer always reads and there is always something to send.
            if progress.sizeSinceTurn > 16 * LiveViewer.largestBatch {
                progress.sizeSinceTurn = 0
                await Task.yield()
            }
        }
    }

    /// The events that are there now, the first of which has come. It is not inlined: a viewer that waits keeps the
    /// frame of the function above, which is small without this.
    @inline(never)
    private func batch(
        _ first: TopicMessage<Event>, _ messages: TopicSubscription<Event>.AsyncIterator, _ progress: inout LiveProgress
    ) throws -> [LiveMessage] {
        var batch: [LiveMessage] = []
        var size = 0
        var next: TopicMessage<Event>? = first
        while let one = next {
            let message = try message(one)
            if let message { batch.append(message) }
            size += message?.bytes.count ?? 0
            progress.skipped.pass(one.id, isSent: message != nil)
            next = size < LiveViewer.largestBatch ? try messages.available() : nil
        }
        if let id = progress.skipped.idToTell(withEvents: !batch.isEmpty) {
            batch.append(try LiveMessage(id, LiveEvent(.seen)))
        }
        progress.sizeSinceTurn += size
        return batch
    }
}
