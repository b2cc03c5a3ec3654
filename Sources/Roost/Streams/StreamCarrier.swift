/// The protocol that carries exchanges on a connection; used on the connection's loop only.
package protocol StreamCarrier: AnyObject {
    /// The head of the response that is about to be sent.
    var fields: FieldPairs { get }
    /// Sends that head; then it asks for the body, unless the stream ends.
    func send(endsStream: Bool, on exchange: StreamExchange)
    /// Asks the client for the body that it has announced (RFC 9110 §10.1.1).
    func sendContinue(to exchange: StreamExchange)
    /// There is more to send, or the end.
    func goOn(_ exchange: StreamExchange)
    /// Ends the stream before its end: its response cannot be sent as announced.
    func reset(_ exchange: StreamExchange)
    /// The client does not take the response in time: ends the stream.
    func isOverdue(_ exchange: StreamExchange)
    /// Bytes of the request's body have been read: the client may send as many more.
    func used(_ count: Int, of exchange: StreamExchange)
    /// A stream that has ended is served by no task any more.
    func isOver(_ exchange: StreamExchange)
    /// The number of its exchanges that hold a large file open.
    var largeFiles: Int { get }
}

extension StreamCarrier {
    /// None, where nothing is said of them.
    package var largeFiles: Int { 0 }
}
