/// An event in the history of a topic.
enum TopicEntry<Event: Sendable>: Sendable {
    case message(TopicMessage<Event>)
    case kept(KeptEvent<Event>)

    var id: Int {
        switch self {
        case .message(let message): message.id
        case .kept(let event): event.id
        }
    }

    /// The event as subscribers get it; nil if it cannot be decoded.
    var message: TopicMessage<Event>? {
        switch self {
        case .message(let message): message
        case .kept(let event): event.message
        }
    }
}
