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
