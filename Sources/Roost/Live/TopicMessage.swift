import Logging

/// An event of a topic, with its id.
public final class TopicMessage<Event: Sendable>: Sendable {
    /// The number of the event: one more than that of the event before.
    public let id: Int
    /// The event.
    public let event: Event
    /// The event as an event stream sends it; nil when it is not made for that.
    private let encoded: [UInt8]?

    init(id: Int, event: Event, _ fields: [UInt8]?) {
        self.id = id
        self.event = event
        encoded = fields.map { $0 + Array("id: \(id)\n\n".utf8) }
    }

    /// The fields of an event without its id; they are made outside of all locks. Whoever follows the topic must get
    /// past an event that no stream can send, so that one has clients read everything again.
    static func fields(of event: Event) -> [UInt8]? {
        guard let event = event as? any ServerSentEventConvertible else { return nil }
        do {
            var event = try event.serverSentEvent()
            event.id = nil
            return try event.fields()
        } catch {
            let type = String(describing: Event.self)
            Logger(label: "roost.topic").error("An event cannot be sent, so clients read again: \(type): \(error)")
            return Array("event: reset\ndata: {}\n".utf8)
        }
    }
}

extension TopicMessage where Event: ServerSentEventConvertible {
    /// The event as an event stream sends it, the same bytes for every stream.
    var bytes: [UInt8] { encoded ?? [] }
}
