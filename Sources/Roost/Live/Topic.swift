import Glibc
import Synchronization

/// Passes events on to everybody who follows, in this process and in the order of their publication.
///
///     let topic = Topic<UserChange>()
///     topic.publish(.added(user))
///     for try await message in topic.subscribe() { … }
///
/// The last events are kept, so a subscriber that has been away can continue after the last one that it has seen.
/// Publishing never waits for a subscriber: one that falls behind by more than is kept is ended.
///
/// Ids increase by one for each event. The first one is taken from the clock, in microseconds since 1970, so that ids
/// from before a restart are not taken for those of other events: they are too old.
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
        var shares: [TopicShare<Event>] = []
    }

    /// Creates a topic without events.
    /// - Parameter history: The maximum number of events that are kept.
    public convenience init(history: Int = 1000) {
        self.init(history: history, lastID: Self.idFromClock)
    }

    /// The id from which a topic that is made now counts: the microseconds since 1970.
    package static var idFromClock: Int {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return now.tv_sec * 1_000_000 + now.tv_nsec / 1000
    }

    package init(history: Int, lastID: Int) {
        newest = Atomic(lastID)
        state = Mutex(State(history: TopicHistory(capacity: max(1, history), lastID: lastID)))
    }

    /// The id of the last event, or the one after which ids begin.
    public var lastID: Int { newest.load(ordering: .acquiring) }

    /// Gives an event to all subscribers, and returns its id. It may be called anywhere, also by a subscriber.
    @discardableResult
    public func publish(_ event: Event) -> Int {
        let fields = TopicMessage.fields(of: event)
        let (id, waiting) = change { state in
            let id = state.history.lastID + 1
            return (id, Self.append(.message(TopicMessage(id: id, event: event, fields)), to: &state))
        }
        for share in waiting { share.wake() }
        return id
    }

    /// Publishes an event that already has its id. False when that is not the next one; then nothing is done.
    package func publish(_ event: KeptEvent<Event>) -> Bool {
        let waiting = change { state in
            event.id == state.history.lastID + 1 ? Self.append(.kept(event), to: &state) : nil
        }
        for share in waiting ?? [] { share.wake() }
        return waiting != nil
    }

    /// Publishes events that already have their ids, but for those that are known here. Where ids are missing, it
    /// begins anew.
    package func publish(_ events: [KeptEvent<Event>]) {
        let waiting = change { state in
            var waiting: [TopicShare<Event>] = []
            for event in events where event.id > state.history.lastID {
                if event.id > state.history.lastID + 1 { waiting += Self.restart(after: event.id - 1, &state) }
                waiting += Self.append(.kept(event), to: &state)
            }
            return waiting
        }
        for share in waiting { share.wake() }
    }

    /// Begins anew after an id. Subscribers that have not seen that one have missed something, and are ended.
    package func restart(after id: Int) {
        let shares = change { Self.restart(after: id, &$0) }
        for share in shares { share.wake() }
    }

    /// Changes the state, and then ``lastID``, under the lock.
    private func change<Result>(_ body: (inout sending State) -> Result) -> Result {
        state.withLock { state in
            defer { newest.store(state.history.lastID, ordering: .releasing) }
            return body(&state)
        }
    }

    /// Returns the shares that must be woken.
    private static func restart(after id: Int, _ state: inout State) -> [TopicShare<Event>] {
        state.history.restart(after: id)
        for share in state.shares { share.restart(after: id) }
        return state.shares
    }

    /// Returns the shares that must be woken.
    private static func append(_ entry: TopicEntry<Event>, to state: inout State) -> [TopicShare<Event>] {
        state.history.append(entry)
        return state.shares.isEmpty ? [] : state.shares.filter { $0.append(entry) }
    }

    /// Follows the topic: from now on, or from the event after one that has been seen.
    ///
    /// It costs least where it is then read: subscribers of one event loop are woken together.
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
        let seen = id.flatMap(place)
        // An event that this client has had from another instance, sooner than it came here.
        let ahead = id.flatMap { id in Int(id).flatMap { String($0) == id && $0 <= committed ? $0 : nil } }
        let loop = EventLoop.current
        return state.withLock { state in
            let share = Self.share(of: loop, in: &state)
            let known = state.history.lastID
            if let seen, state.history.reaches(after: seen) {
                return TopicSubscription(share, after: seen, hasMissedEvents: false)
            }
            if let ahead, ahead > known {
                return TopicSubscription(share, after: ahead, known: known, hasMissedEvents: false)
            }
            return TopicSubscription(share, after: max(known, committed), known: known, hasMissedEvents: id != nil)
        }
    }

    /// The id that a client has sent; nil if events after it are not here, or cannot be decoded.
    private func place(_ id: String) -> Int? {
        // Only as it was written: "+7" and "007" are not ids.
        guard let seen = Int(id), String(seen) == id else { return nil }
        let kept = state.withLock { $0.history.reaches(after: seen) ? $0.history.kept(after: seen) : nil }
        return kept?.allSatisfy { $0.message != nil } == true ? seen : nil
    }

    /// Follows the topic, and begins with the last events: with this many, or fewer if fewer are kept.
    public func subscribe(last count: Int) -> TopicSubscription<Event> {
        let kept = state.withLock { $0.history.kept(after: $0.history.id(beforeLast: count)) }
        let unreadable = kept.last { $0.message == nil }?.id
        let loop = EventLoop.current
        return state.withLock { state in
            let share = Self.share(of: loop, in: &state)
            let start = max(state.history.id(beforeLast: count), unreadable ?? .min)
            return TopicSubscription(share, after: start, hasMissedEvents: false)
        }
    }

    /// Whether anybody follows it now.
    package var isFollowed: Bool { state.withLock { $0.shares.contains { $0.isFollowed } } }

    private static func share(of loop: EventLoop?, in state: inout State) -> TopicShare<Event> {
        if let share = state.shares.first(where: { $0.loop === loop }) { return share }
        let share = TopicShare(loop, state.history)
        state.shares.append(share)
        return share
    }
}
