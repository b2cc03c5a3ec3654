import Roost

/// A change to the list of users.
struct UserChange: Codable, Sendable, Equatable {
    /// The kinds of change, by the names that clients know them by.
    enum Kind: String, Codable, Sendable {
        case added, renamed, removed
    }

    let kind: Kind
    /// The user as it is now, or was before it was removed.
    let user: User
}

extension UserChange: ServerSentEventConvertible {
    /// `event: added`, with the user as JSON.
    func serverSentEvent() throws -> ServerSentEvent {
        ServerSentEvent(String(decoding: try JSONCoder().encode(user), as: UTF8.self), event: kind.rawValue)
    }
}
