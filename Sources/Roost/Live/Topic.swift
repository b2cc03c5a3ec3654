import Synchronization

/// A source of events for all its subscribers in this process, in the order of their publication.
///
///     let topic = Topic<UserChange>()
///     topic.publish(.added(user))
///     for try await message in topic.subscribe() { … }
///
/// The last events are kept, so a subscriber that has been away can continue after the last one that it has seen.
/// Publishing never waits for a subscriber: one that falls behind by more events than are kept is cut off.
///
/// Ids increase by one for each event. The first one is the time in microseconds since 1970, so that ids from before a
/// restart are seen to be too old, and not taken for ids of other events.
///
/// A topic belongs to one process. `SQLTopic` in RoostSQL reaches all instances of an application.
public final class Topic<Event: Sendable>: Sendable {
    /// The id of the last event, read without the lock. It is declared first, so that its offset does not depend on the
    /// type of the events.
    private let newest: Atomic<Int>
    private let state: Mutex<State>

    private struct State {
        var history: TopicHistory<Event>
        /// One for each loop with subscribers.
        var shares: [TopicShare] = []
    }

    /// Creates a topic without events.
    /// - Parameter history: The maximum number of events that are kept.
    public convenience init(history: Int = 1000) {
        self.init(history: history, lastID: Self.idFromClock)
    }

    /// The id from which a topic that is made now counts: the microseconds since 1970.
    package static var idFromClock: Int { Int(TimeSource.systemTime.wholeNanoseconds / 1000) }

    package init(history: Int, lastID: Int) {
        newest = Atomic(lastID)
        state = Mutex(State(history: TopicHistory(capacity: max(1, history), lastID: lastID)))
    }

    /// The id of the last event, or the one after which ids begin.
    public var lastID: Int { newest.load(ordering: .acquiring) }

    /// Gives an event to all subscribers, and returns its id. It can be called from anywhere, even by a subscriber.
    @discardableResult
    public func publish(_ event: Event) -> Int {
        let fields = TopicMessage.fields(of: event)
        return change { history in
            let id = history.lastID + 1
            history.append(.message(TopicMessage(id: id, event: event, fields)))
            return id
        }
    }

    /// Publishes an event that already has its id. False when that is not the next one; then nothing is done.
    package func publish(_ event: EncodedEvent<Event>) -> Bool {
        change { history in
            guard event.id == history.lastID + 1 else { return false }
            history.append(.encoded(event))
            return true
        }
    }

    /// Publishes events that already have their ids, but for those that are known here. Where ids are missing, it
    /// begins anew.
    package func publish(_ events: [EncodedEvent<Event>]) {
        change { history in
            for event in events where event.id > history.lastID {
                if event.id > history.lastID + 1 { history.restart(after: event.id - 1) }
                history.append(.encoded(event))
            }
        }
    }

    /// Begins after an id, unless it has begun already.
    package func begin(after id: Int) {
        change { history in
            if history.lastID == 0 { history.restart(after: id) }
        }
    }

    /// Begins anew after an id. Subscribers that have not seen that one have missed something, and are ended.
    package func restart(after id: Int) { change { $0.restart(after: id) } }

    /// Changes the history, and then ``lastID``, under the lock; then wakes those who wait.
    private func change<Result>(_ body: (inout sending TopicHistory<Event>) -> Result) -> Result {
        let (result, shares) = state.withLock { state in
            let result = body(&state.history)
            newest.store(state.history.lastID, ordering: .releasing)
            return (result, state.shares)
        }
        for share in shares { share.wake() }
        return result
    }

    /// The maximum number of events that are kept.
    var capacity: Int { state.withLock { $0.history.capacity } }

    /// The event after an id; nil when there is none yet. One that cannot be decoded is missed by all.
    func next(after id: Int) throws(FellBehind) -> TopicMessage<Event>? {
        let entry = try state.withLock { state throws(FellBehind) in try state.history.next(after: id) }
        guard let entry else { return nil }
        guard let message = entry.message else { throw FellBehind() }
        return message
    }

    /// Follows the topic: from now on, or from the event after one that has been seen.
    ///
    /// It costs least on the event loop that reads it: subscribers of one loop are woken together.
    /// - Parameter id: The id of the last event that has been seen, as a client has sent it. If it is not one of this
    ///   topic's, or older than what is kept, the subscription begins now, and
    ///   ``TopicSubscription/hasMissedEvents`` is true.
    public func subscribe(after id: String? = nil) -> TopicSubscription<Event> {
        subscribe(after: id, committed: lastID)
    }

    /// Whether events after the one that a client has seen are here.
    package func reaches(after id: String) -> Bool { place(id) != nil }

    /// Follows a topic whose events come from elsewhere, and may have been committed before they are here.
    /// - Parameter committed: The id of the last event that has been committed: a subscription that begins now begins
    ///   after that one.
    package func subscribe(after id: String?, committed: Int) -> TopicSubscription<Event> {
        // An event that this client has had from another instance, sooner than it came here.
        let ahead = id.flatMap { id in Int(id).flatMap { String($0) == id && $0 <= committed ? $0 : nil } }
        let loop = EventLoop.current
        while true {
            let newest = lastID
            let seen = id.flatMap(place)
            let subscription = state.withLock { state -> TopicSubscription<Event>? in
                let share = Self.share(of: loop, in: &state)
                let known = state.history.lastID
                if let seen, state.history.reaches(after: seen) {
                    return TopicSubscription(self, share, after: seen, hasMissedEvents: false)
                }
                if let ahead, ahead > known {
                    return TopicSubscription(self, share, after: ahead, known: known, hasMissedEvents: false)
                }
                // It has come since it was looked for.
                if let ahead, seen == nil, ahead > newest { return nil }
                return TopicSubscription(
                    self, share, after: max(known, committed), known: known, hasMissedEvents: id != nil)
            }
            if let subscription { return subscription }
        }
    }

    /// The id that a client has sent; nil if events after it are not here, or cannot be decoded.
    private func place(_ id: String) -> Int? {
        // Only as it was written: "+7" and "007" are not ids.
        guard let seen = Int(id), String(seen) == id else { return nil }
        let encoded = state.withLock { $0.history.reaches(after: seen) ? $0.history.encoded(after: seen) : nil }
        return encoded?.allSatisfy { $0.message != nil } == true ? seen : nil
    }

    /// Follows the topic, and begins with the last events: with this many, or fewer if fewer are kept.
    public func subscribe(last count: Int) -> TopicSubscription<Event> {
        let encoded = state.withLock { $0.history.encoded(after: $0.history.id(beforeLast: count)) }
        let unreadable = encoded.last { $0.message == nil }?.id
        let loop = EventLoop.current
        return state.withLock { state in
            let share = Self.share(of: loop, in: &state)
            let start = max(state.history.id(beforeLast: count), unreadable ?? .min)
            return TopicSubscription(self, share, after: start, hasMissedEvents: false)
        }
    }

    /// Whether anybody follows it now.
    package var isFollowed: Bool { state.withLock { $0.shares.contains { $0.isFollowed } } }

    private static func share(of loop: EventLoop?, in state: inout State) -> TopicShare {
        if let share = state.shares.first(where: { $0.loop === loop }) { return share }
        let share = TopicShare(loop)
        state.shares.append(share)
        return share
    }
}

/// The interface that a ``Topic`` shares with one that is kept in a database (`SQLTopic` in RoostSQL), for code that
/// publishes and follows wherever the events are kept: `any TopicProtocol<Message>`.
public protocol TopicProtocol<Event>: Sendable {
    /// The type of the events that are published.
    associatedtype Event: Sendable

    /// Events that have been published, as this process has learnt of them.
    var events: Topic<Event> { get }

    /// Follows the topic: from the last event on that has been published anywhere, or from the one after an event that
    /// has been seen; see ``Topic/subscribe(after:)``.
    func subscribe(after id: String?) async throws -> TopicSubscription<Event>

    /// Gives an event to all subscribers, and returns its id.
    @discardableResult
    func publish(_ event: Event) async throws -> Int
}

extension Topic: TopicProtocol {
    /// The topic itself.
    public var events: Topic<Event> { self }
}
