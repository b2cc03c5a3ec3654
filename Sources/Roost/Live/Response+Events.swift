package import HTTPTypes

extension Response {
    /// Returns an event stream (`text/event-stream`), written by a function that runs once the head has been sent.
    ///
    ///     routes.get(Path("/clock")) { request in
    ///         guard request.isFromHere else { throw HTTPError(.forbidden) }
    ///         return Response.events { events in
    ///             while true {
    ///                 try await events.send(ServerSentEvent("\(Date())"))
    ///                 try await EventLoop.current?.sleep(for: .seconds(1))
    ///             }
    ///         }
    ///     }
    ///
    /// It runs on the loop of the connection. Its task is cancelled when the client leaves or the server drains, and
    /// ``EventWriter/send(_:)-(ServerSentEvent)`` throws `CancellationError` from then on. When it returns, the stream
    /// ends, and a browser reconnects. Any other error that it throws is logged, and the connection is cut off.
    ///
    /// If the function captures its request, use ``Routes/events(_:file:line:use:)``, or wait for something before you
    /// return this: the request of a handler that never waits keeps the 16 KiB buffer that it came in.
    ///
    /// The limit on open streams, and the time after which a silent one sends a sign of life, are set in
    /// ``ServerConfiguration``. A `HEAD` gets the head alone.
    public static func events(_ write: @escaping @Sendable (EventWriter) async throws -> Void) -> Response {
        let body = LiveBody(heartbeat: EventWriter.heartbeat, farewell: { EventWriter.farewell }) { body in
            try await write(EventWriter(body: body))
        }
        var headers: Headers = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        // nginx gathers responses before it passes them on, except with this.
        headers["X-Accel-Buffering"] = "no"
        return Response(.ok, headers: headers, body: Body(live: body))
    }

    /// Returns an event stream with the events of a sequence, each of which is requested only when the client has taken
    /// the one before.
    public static func events<Events: AsyncSequence & Sendable>(_ events: Events) -> Response
    where Events.Element == ServerSentEvent {
        .events { writer in
            for try await event in events { try await writer.send(event) }
        }
    }
}

extension HTTPField.Name {
    /// `Last-Event-ID`: what a client that connects to an event stream again has seen (WHATWG HTML, 9.2.4).
    package static let lastEventID = known("Last-Event-ID")
}

extension Request {
    /// The id of the last event that the client got before it lost its connection (`Last-Event-ID`); nil when it got
    /// none. Clients can send any text.
    public var lastEventID: String? {
        guard let id = headers[.lastEventID], !id.isEmpty else { return nil }
        return id
    }
}
