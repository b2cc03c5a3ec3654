/// The budgets for what clients keep open.
package struct ClientBudgets: Sendable {
    /// The budget of event streams.
    var streams = ClientBudget()
    /// The budget of WebSockets.
    var webSockets = ClientBudget()
}

extension HTTPError {
    /// The error for a client that does not fit into a ``ClientBudget``.
    static func tooManyOpen(_ things: String) -> HTTPError {
        HTTPError(.serviceUnavailable, "Too many \(things) are open.", headers: [.retryAfter: "10"])
    }
}
