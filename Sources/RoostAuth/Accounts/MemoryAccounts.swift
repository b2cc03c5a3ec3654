import Synchronization

/// Keeps accounts in memory: for tests, and for a first try.
public final class MemoryAccounts: AccountStore {
    private let accounts: Mutex<[StoredAccount]>

    /// A store with some accounts, in the order of their ids.
    public init(_ accounts: [StoredAccount] = []) {
        self.accounts = Mutex(accounts)
    }

    /// The account with an address.
    public func account(email: EmailAddress) -> StoredAccount? {
        accounts.withLock { accounts in accounts.first { Self.has($0, email) } }
    }

    /// The account with an id.
    public func account(id: Int) -> StoredAccount? {
        accounts.withLock { $0.first { $0.account.id == id } }
    }

    /// All accounts.
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

    /// Keeps an account from signing in, or lets it again.
    public func setDisabled(_ isDisabled: Bool, of id: Int) {
        change(id) { old in
            let account = Account(
                id: id, email: old.account.email, roles: old.account.roles, isDisabled: isDisabled)
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
