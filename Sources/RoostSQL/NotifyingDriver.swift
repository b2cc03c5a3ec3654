/// A driver whose database tells all its clients what one of them has sent.
package protocol NotifyingDriver: SQLDriver {
    /// Listens to a channel, until the task is cancelled.
    /// - Parameter body: Gets the payload of each notification; nil at first, and whenever a lost connection has been
    ///   replaced: then notifications may have been missed.
    func listen(to channel: String, _ body: @Sendable (String?) -> Void) async throws
}
