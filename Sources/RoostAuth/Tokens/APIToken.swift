/// What is known about an API token; not the token itself, of which only a hash is kept.
public struct APIToken: Sendable, Equatable, Identifiable {
    /// The number by which it is revoked.
    public let id: Int
    /// The account for which it speaks.
    public let account: Int
    /// What it is for, in its owner's words.
    public let name: String
    /// What it may do: names that the application chooses, such as `users:write`.
    public let scopes: Set<String>
    /// When it was made, in seconds since 1970.
    public let made: Int
    /// From when on it is worthless, in seconds since 1970.
    public let expires: Int
    /// Whether it was revoked.
    public let isRevoked: Bool
    /// When it was last used, to the minute; nil if it never was.
    public let used: Int?

    /// Whether it is accepted at a time.
    func isValid(at now: Int) -> Bool { !isRevoked && now < expires }
}
