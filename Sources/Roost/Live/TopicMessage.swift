/// An event of a topic, with its id.
public final class TopicMessage<Event: Sendable>: Sendable {
    /// The number of the event: one more than that of the event before.
    public let id: Int
    /// The event.
    public let event: Event
    /// The event as an event stream sends it; nil when it is not made for that.
    private let encoded: Result<[UInt8], any Error>?

    init(id: Int, event: Event, _ fields: Result<[UInt8], any Error>?) {
        self.id = id
        self.event = event
        encoded = fields.map { $0.map { $0 + Array("id: \(id)\n\n".utf8) } }
    }

    /// The fields of an event without its id; they are made outside of all locks.
    static func fields(of event: Event) -> Result<[UInt8], any Error>? {
        guard let event = event as? any ServerSentEventConvertible else { return nil }
        return Result {
            var event = try event.serverSentEvent()
            event.id = nil
            return try event.fields()
        }
    }
}

extension TopicMessage where Event: ServerSentEventConvertible {
    /// The event as an event stream sends it, the same bytes for every stream.
    var bytes: [UInt8] {
        get throws { try encoded?.get() ?? [] }
    }
}
