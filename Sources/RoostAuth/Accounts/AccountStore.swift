import Synchronization

/// A store of accounts, with the hashes of their passwords.
public protocol AccountStore: Sendable {
    /// Returns the account with an address, even if it is disabled; nil when there is none.
    func account(email: EmailAddress) async throws -> StoredAccount?
    /// Returns the account with an id; nil when there is none.
    func account(id: Int) async throws -> StoredAccount?
    /// Returns all accounts in the order of their ids, at most 10,000.
    func all() async throws -> [Account]
    /// Returns whether there are no accounts.
    func isEmpty() async throws -> Bool
    /// Adds an account.
    /// - Throws: ``AccountError/exists(_:)``, ``AccountError/notAnAddress(_:)``.
    func add(_ email: EmailAddress, passwordHash: String, roles: Set<String>) async throws -> Account
    /// Replaces the hash of an account's password.
    func setPasswordHash(_ hash: String, of id: Int) async throws
    /// Replaces the hash of an account's password if it is still the same, and the account is not disabled.
    /// - Returns: Whether it was replaced.
    func replacePasswordHash(_ old: String, with new: String, of id: Int) async throws -> Bool
    /// Disables an account, so that it cannot sign in, or enables it again.
    func setDisabled(_ isDisabled: Bool, of id: Int) async throws
    /// Replaces the roles of an account.
    func setRoles(_ roles: Set<String>, of id: Int) async throws
}

extension AccountStore {
    /// Returns whether there are no accounts, by listing them all.
    public func isEmpty() async throws -> Bool { try await all().isEmpty }
}

/// The reason why an account cannot be added or changed.
public enum AccountError: Error, Equatable, CustomStringConvertible {
    /// An account has this address already.
    case exists(String)
    /// The text is not an email address.
    case notAnAddress(String)
    /// No account has this address.
    case missing(String)
    /// The text cannot be the name of a role.
    case notARole(String)

    /// The error in one sentence.
    public var description: String {
        switch self {
        case .exists(let email): "There is an account with the address \(email) already."
        case .notAnAddress(let text): "\"\(text)\" is not an email address."
        case .missing(let email): "There is no account with the address \(email)."
        case .notARole(let text):
            "\"\(text)\" cannot be the name of a role, which has only letters, digits, hyphens, underscores and colons."
        }
    }
}

/// A store of accounts in memory: for tests, and for a first try.
public final class MemoryAccounts: AccountStore {
    private let accounts: Mutex<[StoredAccount]>

    /// Creates a store with some accounts, in the order of their ids.
    public init(_ accounts: [StoredAccount] = []) {
        self.accounts = Mutex(accounts)
    }

    /// Returns the account with an address.
    public func account(email: EmailAddress) -> StoredAccount? {
        accounts.withLock { accounts in accounts.first { Self.has($0, email) } }
    }

    /// Returns the account with an id.
    public func account(id: Int) -> StoredAccount? {
        accounts.withLock { $0.first { $0.account.id == id } }
    }

    /// Returns all accounts.
    public func all() -> [Account] { accounts.withLock { $0.map(\.account) } }

    /// Adds an account.
    public func add(_ email: EmailAddress, passwordHash: String, roles: Set<String>) throws(AccountError) -> Account {
        guard email.isPlausible else { throw .notAnAddress(email.text) }
        return try accounts.withLock { accounts throws(AccountError) in
            let isTaken = accounts.contains { Self.has($0, email) }
            guard !isTaken else { throw .exists(email.text) }
            let id = (accounts.last?.account.id ?? 0) + 1
            let account = Account(id: id, email: email.text, roles: roles)
            accounts.append(StoredAccount(account: account, passwordHash: passwordHash))
            return account
        }
    }

    /// Replaces the hash of an account's password.
    public func setPasswordHash(_ hash: String, of id: Int) {
        change(id) { StoredAccount(account: $0.account, passwordHash: hash) }
    }

    /// Replaces the hash of an account's password if it is still the same, and the account is not disabled.
    public func replacePasswordHash(_ old: String, with new: String, of id: Int) -> Bool {
        accounts.withLock { accounts in
            let index = accounts.firstIndex { stored in
                stored.account.id == id && !stored.account.isDisabled
                    && stored.passwordHash.utf8.elementsEqual(old.utf8)
            }
            guard let index else { return false }
            accounts[index] = StoredAccount(account: accounts[index].account, passwordHash: new)
            return true
        }
    }

    /// Disables an account, so that it cannot sign in, or enables it again.
    public func setDisabled(_ isDisabled: Bool, of id: Int) {
        change(id) { old in
            let account = Account(
                id: id, email: old.account.email, roles: old.account.roles, isDisabled: isDisabled)
            return StoredAccount(account: account, passwordHash: old.passwordHash)
        }
    }

    /// Replaces the roles of an account.
    public func setRoles(_ roles: Set<String>, of id: Int) {
        change(id) { old in
            let account = Account(
                id: id, email: old.account.email, roles: roles, isDisabled: old.account.isDisabled)
            return StoredAccount(account: account, passwordHash: old.passwordHash)
        }
    }

    /// Whether the bytes are the same, as SQL has it; to Swift, texts of different bytes may be equal.
    private static func has(_ stored: StoredAccount, _ email: EmailAddress) -> Bool {
        EmailAddress(trimming: stored.account.email).key.utf8.elementsEqual(email.key.utf8)
    }

    private func change(_ id: Int, _ body: (StoredAccount) -> StoredAccount) {
        accounts.withLock { accounts in
            guard let index = accounts.firstIndex(where: { $0.account.id == id }) else { return }
            accounts[index] = body(accounts[index])
        }
    }
}
