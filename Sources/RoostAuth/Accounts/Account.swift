/// An account that can sign in.
public struct Account: Sendable, Equatable, Identifiable {
    /// A number that is never given to another account.
    public let id: Int
    /// The address that it signs in with, as it was written when the account was made.
    public let email: String
    /// The account's permissions beyond those of everybody who has signed in: names that the application chooses.
    public let roles: Set<String>
    /// Whether it cannot sign in any more.
    public let isDisabled: Bool

    /// An account.
    public init(id: Int, email: String, roles: Set<String> = [], isDisabled: Bool = false) {
        self.id = id
        self.email = email
        self.roles = roles
        self.isDisabled = isDisabled
    }

    /// The name of the account as the owner of sessions.
    var owner: String { "\(id)" }
}

/// An account and the hash of its password.
public struct StoredAccount: Sendable, Equatable {
    /// The account.
    public let account: Account
    /// The hash of its password, a PHC string.
    public let passwordHash: String

    /// An account with a hash.
    public init(account: Account, passwordHash: String) {
        self.account = account
        self.passwordHash = passwordHash
    }
}
