public import HTTPTypes

extension HTTPField.Name {
    /// `Last-Event-ID`: what a client that connects to an event stream again has seen (WHATWG HTML, 9.2.4).
    public static let lastEventID = known("Last-Event-ID")
}

extension Request {
    /// The id of the last event that the client got before it lost its connection (`Last-Event-ID`); nil when it got
    /// none. Clients can send any text.
    public var lastEventID: String? {
        guard let id = headers[.lastEventID], !id.isEmpty else { return nil }
        return id
    }
}
