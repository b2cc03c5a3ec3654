/// The body of the response to `GET /account` for a program.
struct AccountSummary: Encodable, Sendable {
    struct Session: Encodable, Sendable {
        let id, device, address, begun, used: String
        let current: Bool
    }

    struct Event: Encodable, Sendable {
        let what, at: String
        let place: String?
    }

    let email: String
    let sessions: [Session]
    /// Whether there may be more than these, which were used last.
    let hasMoreSessions: Bool
    let events: [Event]
}
