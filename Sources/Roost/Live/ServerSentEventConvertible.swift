/// A type whose values can be sent on an event stream: the events of a ``Topic`` that streams follow.
public protocol ServerSentEventConvertible: Sendable {
    /// The event to send. A topic asks for it once for each publication, however many follow, and sets the id.
    func serverSentEvent() throws -> ServerSentEvent
}

extension ServerSentEventConvertible where Self: Encodable {
    /// The value as JSON, of type `message`.
    public func serverSentEvent() throws -> ServerSentEvent { try ServerSentEvent(json: self) }
}
