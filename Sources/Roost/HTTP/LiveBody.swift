/// A body that is written while things happen, for as long as its client stays: that of an event stream.
///
/// Unlike a stream, it is not read but writes by itself. So nothing stands between the code that makes the bytes and
/// the connection, and the connection can add bytes of its own: a sign of life, and a farewell.
final class LiveBody: Sendable {
    /// The bytes sent when nothing else has been sent for a while. They have no meaning to the client.
    let heartbeat: [UInt8]
    /// Makes the bytes that are sent last when the server ends.
    let farewell: @Sendable () -> [UInt8]
    /// Writes the body. Its task is cancelled when the client leaves or the server ends.
    let write: @Sendable (any BodyWriter) async throws -> Void

    init(
        heartbeat: [UInt8],
        farewell: @escaping @Sendable () -> [UInt8],
        write: @escaping @Sendable (any BodyWriter) async throws -> Void
    ) {
        self.heartbeat = heartbeat
        self.farewell = farewell
        self.write = write
    }
}

extension LiveBody: LastingContent {
    func ending(_ watch: @escaping ContentWatch) -> Body {
        Body(
            live: LiveBody(heartbeat: heartbeat, farewell: farewell) { [write] writer in
                async let _ = watch { await writer.end() }
                try await write(writer)
            })
    }
}

/// The writer that sends the bytes of a ``LiveBody`` to the client.
protocol BodyWriter: AnyObject, Sendable {
    /// Sends bytes, and returns when the client has taken them; callable on any thread. It takes them over: what waits
    /// for the client is kept by the connection alone, which counts it.
    /// - Throws: `CancellationError` when the client has gone, or the body has ended.
    func write(_ bytes: consuming [UInt8]) async throws

    /// Ends the body from outside, and cancels the task that writes it; callable on any thread.
    func end() async
}

/// Content that goes on after the head of its response, for as long as both sides want: an event stream, a WebSocket.
protocol LastingContent: AnyObject, Sendable {
    /// The same content, which is ended from outside, too.
    /// - Parameter watch: Runs beside the content, on its loop. It calls the function that it gets to end the content,
    ///   from any thread, and is cancelled when the content has ended by itself.
    func ending(_ watch: @escaping ContentWatch) -> Body
}

/// A function that ends content from outside.
typealias ContentWatch = @Sendable (_ end: @escaping @Sendable () async -> Void) async -> Void

extension Body {
    /// The content, if it goes on after the head of its response.
    var lasting: (any LastingContent)? {
        switch storage {
        case .live(let body): body
        case .upgrade(let content): content as? any LastingContent
        default: nil
        }
    }
}
