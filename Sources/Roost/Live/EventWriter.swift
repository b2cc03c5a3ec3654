/// A writer for the events of one event stream, which a handler gets; see ``Response/events(_:)-(_)``.
public struct EventWriter: Sendable {
    let body: any BodyWriter
    /// Makes the bytes of a view with the values that every page has; nil where they cannot be known.
    var render: (@Sendable (View) async throws -> [UInt8])?

    /// The comment that a silent stream sends as a sign of life.
    static let heartbeat = Array(":\n\n".utf8)

    /// The last bytes of a stream when the server ends: the time until its client comes back, not all at the same time.
    static var farewell: [UInt8] { Array("retry: \(Int.random(in: 1000...3000))\n\n".utf8) }

    /// The most bytes that are sent together.
    private static let pieceSize = 64 * 1024

    /// Sends an event, and returns when the client has taken it.
    ///
    /// A client that is too slow is cut off (``ServerConfiguration/minimumSendRate``). Cancelling the task, such as one
    /// of a task group, does not end the wait for the client.
    /// - Throws: An error for an event with a line break in its type or id, with NUL in its id, or a negative time;
    ///   `CancellationError` when the client has gone, or the stream has ended.
    public func send(_ event: ServerSentEvent) async throws {
        try await body.write(try event.bytes)
    }

    /// Sends a view as an event, rendered with the values that every page of the application has.
    ///
    ///     try await events.send(View("rooms/plan", plan), event: "plan")
    ///
    /// - Parameters:
    ///   - event: The type of the event; nil means `message`.
    ///   - id: The id of the event.
    /// - Throws: A ``TemplateError``; ``StartError`` in a stream that was not declared by
    ///   ``Routes/events(_:file:line:use:)``; and as ``send(_:)-(ServerSentEvent)``.
    public func send(_ view: View, event: String? = nil, id: String? = nil) async throws {
        guard let render else {
            throw StartError.configuration(
                "The view \(view.template) needs the templates of its route: declare the stream by routes.events.")
        }
        let text = String(decoding: try await render(view), as: UTF8.self)
        try await send(ServerSentEvent(text, event: event, id: id))
    }

    /// Sends what is published on a topic until the client leaves.
    ///
    ///     routes.events(Path("/users/events")) { request, events in
    ///         try await events.send(topic.subscribe(after: request.lastEventID))
    ///     }
    ///
    /// A stream follows one topic only, since each topic has its own ids: a client of two would reconnect to both with
    /// the last id of one of them, and could miss events. Put events that belong together into one topic, as the cases
    /// of an enum.
    ///
    /// The stream begins with the id after which the subscription begins, so a client that reconnects misses nothing,
    /// even if it has not received an event yet. If events have been missed (``TopicSubscription/hasMissedEvents``),
    /// the first event is `reset`, upon which a client should fetch everything again. An event whose
    /// ``ServerSentEventConvertible/serverSentEvent()`` throws is sent as `reset`, too. When the client falls behind
    /// the topic's history, this returns.
    /// - Parameter isMeant: Returns whether an event is sent; others are skipped. It is called for each event and each
    ///   client. Now and then, the client is sent the id of a skipped event, so that those before it are not examined
    ///   again when it reconnects.
    /// - Throws: As ``send(_:)-(ServerSentEvent)``.
    public func send<Event: ServerSentEventConvertible>(
        _ subscription: TopicSubscription<Event>, where isMeant: (Event) -> Bool = { _ in true }
    ) async throws {
        let messages = subscription.makeAsyncIterator()
        let reset = subscription.hasMissedEvents ? "event: reset\ndata: {}\n" : ""
        try await body.write(Array("\(reset)id: \(subscription.lastID)\n\n".utf8))
        var sinceTurn = 0
        var skipped = SkippedEvents(capacity: subscription.capacity)
        do {
            while let message = try await messages.next() {
                var bytes = isMeant(message.event) ? message.bytes : []
                skipped.pass(message.id, isSent: !bytes.isEmpty)
                while bytes.count < Self.pieceSize, let more = try messages.available() {
                    let isSent = isMeant(more.event)
                    if isSent { bytes += more.bytes }
                    skipped.pass(more.id, isSent: isSent)
                }
                bytes += skipped.idToSend(withEvents: !bytes.isEmpty)
                if bytes.isEmpty { continue }
                sinceTurn += bytes.count
                try await body.write(consume bytes)
                // The loop serves others, too, even if the client always reads and there is always something to send.
                if sinceTurn > 16 * Self.pieceSize {
                    sinceTurn = 0
                    await Task.yield()
                }
            }
        } catch is FellBehind {}
    }
}
