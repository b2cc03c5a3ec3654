/// A store of accounts, with the hashes of their passwords.
public protocol AccountStore: Sendable {
    /// The account with an address, also one that is disabled; nil when there is none.
    func account(email: EmailAddress) async throws -> StoredAccount?
    /// The account with an id; nil when there is none.
    func account(id: Int) async throws -> StoredAccount?
    /// All accounts, in the order of their ids; at most 10,000.
    func all() async throws -> [Account]
    /// Whether there are none.
    func isEmpty() async throws -> Bool
    /// Adds an account.
    /// - Throws: ``AccountError/exists(_:)``, ``AccountError/notAnAddress(_:)``.
    func add(_ email: EmailAddress, passwordHash: String, roles: Set<String>) async throws -> Account
    /// Replaces the hash of an account's password.
    func setPasswordHash(_ hash: String, of id: Int) async throws
    /// Replaces the hash of an account's password if it is still the same, and the account is not disabled.
    /// - Returns: Whether it was replaced.
    func replacePasswordHash(_ old: String, with new: String, of id: Int) async throws -> Bool
    /// Keeps an account from signing in, or lets it again.
    func setDisabled(_ isDisabled: Bool, of id: Int) async throws
}

extension AccountStore {
    /// Whether there are none; it lists them all.
    public func isEmpty() async throws -> Bool { try await all().isEmpty }
}

/// The reason why an account cannot be added or changed.
public enum AccountError: Error, Equatable, CustomStringConvertible {
    /// There is one with this address.
    case exists(String)
    /// The text is not an email address.
    case notAnAddress(String)
    /// There is none with this address.
    case missing(String)

    /// One sentence.
    public var description: String {
        switch self {
        case .exists(let email): "There is an account with the address \(email) already."
        case .notAnAddress(let text): "\"\(text)\" is not an email address."
        case .missing(let email): "There is no account with the address \(email)."
        }
    }
}
