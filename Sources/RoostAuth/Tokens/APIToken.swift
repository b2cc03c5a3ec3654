/// The record of an API token; not the token itself, of which only a hash is kept.
public struct APIToken: Sendable, Equatable, Identifiable {
    /// The number by which it is revoked.
    public let id: Int
    /// The account for which it speaks.
    public let account: Int
    /// The purpose of the token, in its owner's words.
    public let name: String
    /// The token's permissions: names that the application chooses, such as `users:write`.
    public let scopes: Set<String>
    /// The time at which it was made, in seconds since 1970.
    public let made: Int
    /// The time from which on it is worthless, in seconds since 1970.
    public let expires: Int
    /// Whether it was revoked.
    public let isRevoked: Bool
    /// The time of its last use, in seconds since 1970, to the minute; nil if it was never used.
    public let used: Int?

    /// Whether it is accepted at a time.
    func isValid(at now: Int) -> Bool { !isRevoked && now < expires }
}
