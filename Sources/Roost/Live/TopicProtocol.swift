/// What a ``Topic`` and one that is kept in a database (`SQLTopic` in RoostSQL) have in common, for code that publishes
/// and follows wherever the events are kept: `any TopicProtocol<Message>`.
public protocol TopicProtocol<Event>: Sendable {
    /// What happens.
    associatedtype Event: Sendable

    /// What has been published, as this process has learnt of it: subscribe here.
    var events: Topic<Event> { get }

    /// Gives an event to all subscribers, and returns its id.
    @discardableResult
    func publish(_ event: Event) async throws -> Int
}

extension Topic: TopicProtocol {
    /// This topic.
    public var events: Topic<Event> { self }
}
