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
    private let state: Mutex<State>

    private struct State {
        var history: TopicHistory<Event>
        /// One for each loop with subscribers.
        var shares: [TopicShare<Event>] = []
    }

    /// Creates a topic without events.
    /// - Parameter history: How many events are kept.
    public convenience init(history: Int = 1000) {
        self.init(history: history, lastID: Self.idFromClock)
    }

    /// Where ids begin now: the microseconds since 1970.
    package static var idFromClock: Int {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return now.tv_sec * 1_000_000 + now.tv_nsec / 1000
    }

    package init(history: Int, lastID: Int) {
        state = Mutex(State(history: TopicHistory(capacity: max(1, history), lastID: lastID)))
    }

    /// The id of the last event, or the one after which ids begin.
    public var lastID: Int { state.withLock { $0.history.lastID } }

    /// Gives an event to all subscribers, and returns its id. It may be called anywhere, also by a subscriber.
    @discardableResult
    public func publish(_ event: Event) -> Int {
        let fields = TopicMessage.fields(of: event)
        let (id, waiting) = state.withLock { state in
            let id = state.history.lastID + 1
            return (id, Self.append(TopicMessage(id: id, event: event, fields), to: &state))
        }
        for share in waiting { share.wake() }
        return id
    }

    /// Publishes an event that already has its id. False when that is not the next one; then nothing is done.
    package func publish(_ event: Event, id: Int) -> Bool {
        let message = TopicMessage(id: id, event: event, TopicMessage.fields(of: event))
        let waiting = state.withLock { state in
            id == state.history.lastID + 1 ? Self.append(message, to: &state) : nil
        }
        for share in waiting ?? [] { share.wake() }
        return waiting != nil
    }

    /// Begins anew after an id. Subscribers that have not seen that one have missed something, and are ended.
    package func restart(after id: Int) {
        let shares = state.withLock { state in
            state.history.restart(after: id)
            for share in state.shares { share.restart(after: id) }
            return state.shares
        }
        for share in shares { share.wake() }
    }

    /// Returns the shares that must be woken.
    private static func append(_ message: TopicMessage<Event>, to state: inout State) -> [TopicShare<Event>] {
        state.history.append(message)
        return state.shares.filter { $0.append(message) }
    }

    /// Follows the topic: from now on, or from the event after one that has been seen.
    ///
    /// It costs least where it is then read: subscribers of one event loop are woken together.
    /// - Parameter id: The id of the last event that has been seen, as a client has sent it. If it is not one of this
    ///   topic's, or older than what is kept, the subscription begins now, and
    ///   ``TopicSubscription/hasMissedEvents`` is true.
    public func subscribe(after id: String? = nil) -> TopicSubscription<Event> {
        let loop = EventLoop.current
        return state.withLock { state in
            let share = Self.share(of: loop, in: &state)
            guard let id else { return TopicSubscription(share, after: state.history.lastID, hasMissedEvents: false) }
            // Only as it was written: "+7" and "007" are not ids.
            guard let seen = Int(id), String(seen) == id, state.history.reaches(after: seen) else {
                return TopicSubscription(share, after: state.history.lastID, hasMissedEvents: true)
            }
            return TopicSubscription(share, after: seen, hasMissedEvents: false)
        }
    }

    /// Follows the topic, and begins with the last events: with this many, or fewer if fewer are kept.
    public func subscribe(last count: Int) -> TopicSubscription<Event> {
        let loop = EventLoop.current
        return state.withLock { state in
            let share = Self.share(of: loop, in: &state)
            return TopicSubscription(share, after: state.history.id(beforeLast: count), hasMissedEvents: false)
        }
    }

    private static func share(of loop: EventLoop?, in state: inout State) -> TopicShare<Event> {
        if let share = state.shares.first(where: { $0.loop === loop }) { return share }
        let share = TopicShare(loop, state.history)
        state.shares.append(share)
        return share
    }
}
