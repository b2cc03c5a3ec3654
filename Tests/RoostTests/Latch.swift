/// Holds up any task that waits at it until a test opens it, so that a test decides the order.
struct Latch: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    /// A closed one, for one who waits.
    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }

    func wait() async {
        for await _ in stream {}
    }
}

/// Lets other tasks run while a test waits for something; a test whose time limit has passed ends here.
func turn() async throws {
    try Task.checkCancellation()
    await Task.yield()
}
