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
