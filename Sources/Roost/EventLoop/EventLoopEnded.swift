/// The error of a wait on a loop that has ended, or that ends before the awaited event: nothing happens there any more.
public struct EventLoopEnded: Error, Sendable, CustomStringConvertible {
    /// The sentence for a log.
    public var description: String { "The event loop has ended, so what is awaited there never happens." }
}
