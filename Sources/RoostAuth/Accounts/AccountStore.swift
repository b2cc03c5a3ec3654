public import Roost
public import RoostSQL
import Synchronization

/// A store of accounts, with the hashes of their passwords.
public protocol AccountStore: Sendable {
    /// Returns the account with an address, even if it is disabled; nil when there is none.
    func account(email: EmailAddress) async throws -> StoredAccount?
    /// Returns the account with an id; nil when there is none.
    func account(id: Int) async throws -> StoredAccount?
    /// Returns all accounts in the order of their ids, at most ``Account/maximumListed``.
    func all() async throws -> [Account]
    /// Returns whether there are no accounts.
    func isEmpty() async throws -> Bool
    /// Adds an account.
    /// - Throws: ``AccountError/exists(_:)``, ``AccountError/notAnAddress(_:)``.
    func add(_ email: EmailAddress, passwordHash: String, roles: Set<String>) async throws -> Account
    /// Adds an account, and in the same transaction what a function adds: if that throws, there is no account.
    /// - Throws: What `body` throws; ``AccountError/exists(_:)``, ``AccountError/notAnAddress(_:)``.
    func add(
        _ email: EmailAddress, passwordHash: String, roles: Set<String>,
        also body: (Account, Transaction) async throws -> Void
    ) async throws -> Account
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

    /// Throws an error, since a store that is not in a database has no transactions.
    public func add(
        _ email: EmailAddress, passwordHash: String, roles: Set<String>,
        also body: (Account, Transaction) async throws -> Void
    ) async throws -> Account {
        throw NoTransactions()
    }
}

/// The error for a store of accounts without transactions.
struct NoTransactions: Error, CustomStringConvertible {
    let description = """
        This store of accounts has no transactions, so nothing can be added together with an account: use an Auth with \
        a database.
        """
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
    /// The text cannot be the scope of a token.
    case notAScope(String)

    /// The error in one sentence.
    public var description: String {
        switch self {
        case .exists(let email): Self.taken(email).text
        case .notAnAddress(let text): Self.noAddress(text).text
        case .missing(let email): "There is no account with the address \(email)."
        case .notARole(let text):
            "\"\(text)\" cannot be the name of a role, which has only letters, digits, hyphens, underscores and colons."
        case .notAScope(let text):
            "\"\(text)\" cannot be a scope, which has only ASCII characters without blanks, quotes and backslashes."
        }
    }
}

extension AccountError: ResponseError {
    /// The response if no handler catches the error: 409 for an address that is taken, and 422 for a text that is not
    /// an address, each with a sentence that can be translated; nil for the other cases, which are mistakes of the
    /// program.
    public var httpError: HTTPError? {
        switch self {
        case .exists(let email): HTTPError(.conflict, Self.taken(email))
        case .notAnAddress(let text): HTTPError(.unprocessableContent, Self.noAddress(text))
        case .missing, .notARole, .notAScope: nil
        }
    }

    private static func taken(_ email: String) -> Sentence {
        Sentence("There is an account with the address {address} already.", ["address": email])
    }

    /// Characters that are not shown are written as `\u{200b}`: otherwise the text would look like an address.
    private static func noAddress(_ text: String) -> Sentence {
        let shown = text.unicodeScalars.map { scalar in
            EmailAddress.isHidden(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        return Sentence("\"{text}\" is not an email address.", ["text": shown.joined()])
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
        guard email.mayBeAdded else { throw .notAnAddress(email.text) }
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
        change(id) { $0.passwordHash = hash }
    }

    /// Replaces the hash of an account's password if it is still the same, and the account is not disabled.
    public func replacePasswordHash(_ old: String, with new: String, of id: Int) -> Bool {
        accounts.withLock { accounts in
            let index = accounts.firstIndex { stored in
                stored.account.id == id && !stored.account.isDisabled
                    && stored.passwordHash.utf8.elementsEqual(old.utf8)
            }
            guard let index else { return false }
            accounts[index].passwordHash = new
            return true
        }
    }

    /// Disables an account, so that it cannot sign in, or enables it again.
    public func setDisabled(_ isDisabled: Bool, of id: Int) {
        change(id) { $0.account.isDisabled = isDisabled }
    }

    /// Replaces the roles of an account.
    public func setRoles(_ roles: Set<String>, of id: Int) {
        change(id) { $0.account.roles = roles }
    }

    /// Whether the bytes are the same, as SQL has it; to Swift, texts of different bytes may be equal.
    private static func has(_ stored: StoredAccount, _ email: EmailAddress) -> Bool {
        EmailAddress(trimming: stored.account.email).key.utf8.elementsEqual(email.key.utf8)
    }

    private func change(_ id: Int, _ body: (inout StoredAccount) -> Void) {
        accounts.withLock { accounts in
            if let index = accounts.firstIndex(where: { $0.account.id == id }) { body(&accounts[index]) }
        }
    }
}

/// A store of accounts in a table, for any number of instances that share the database. ``AuthMigrations`` make the
/// table.
public struct SQLAccounts: AccountStore {
    private let database: Database
    private let time = TimeSource.current

    /// Creates a store in a database.
    public init(_ database: Database) { self.database = database }

    private struct Row: Decodable, Sendable {
        let id: Int
        let email, roles: String
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let password_hash: String
        let disabled: Int

        var stored: StoredAccount { StoredAccount(account: account, passwordHash: password_hash) }

        var account: Account {
            let roles = Set(roles.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) })
            return Account(id: id, email: email, roles: roles, isDisabled: disabled != 0)
        }
    }

    private static func text(_ roles: Set<String>) -> String { roles.sorted().joined(separator: ",") }

    private static let columns: SQL = "id, email, roles, password_hash, disabled"

    /// Returns the account with an address.
    public func account(email: EmailAddress) async throws -> StoredAccount? {
        // A text that cannot be an address is not looked up: not every engine takes NUL in a text.
        guard email.isPlausible else { return nil }
        return try await database.first(
            "SELECT \(Self.columns) FROM accounts WHERE email_key = \(email.key)", as: Row.self)?.stored
    }

    /// Returns the account with an id.
    public func account(id: Int) async throws -> StoredAccount? {
        try await database.first("SELECT \(Self.columns) FROM accounts WHERE id = \(id)", as: Row.self)?.stored
    }

    /// Returns the accounts in the order of their ids, at most ``Account/maximumListed``.
    public func all() async throws -> [Account] {
        try await database.queryAll(
            "SELECT \(Self.columns) FROM accounts ORDER BY id LIMIT \(Account.maximumListed)", as: Row.self
        ).map(\.account)
    }

    /// Returns whether there are no accounts.
    public func isEmpty() async throws -> Bool {
        try await database.first("SELECT id FROM accounts LIMIT 1", as: Int.self) == nil
    }

    /// Adds an account.
    public func add(_ email: EmailAddress, passwordHash: String, roles: Set<String>) async throws -> Account {
        try await insert(email, passwordHash, roles, in: database)
    }

    /// Adds an account, and in the same transaction what a function adds.
    public func add(
        _ email: EmailAddress, passwordHash: String, roles: Set<String>,
        also body: (Account, Transaction) async throws -> Void
    ) async throws -> Account {
        try await database.transaction { transaction in
            let account = try await insert(email, passwordHash, roles, in: transaction)
            try await body(account, transaction)
            return account
        }
    }

    private func insert(
        _ email: EmailAddress, _ passwordHash: String, _ roles: Set<String>, in executor: some SQLExecutor
    ) async throws -> Account {
        guard email.mayBeAdded else { throw AccountError.notAnAddress(email.text) }
        do {
            let row = try await executor.first(
                """
                INSERT INTO accounts (email, email_key, password_hash, roles, created_at)
                VALUES (\(email.text), \(email.key), \(passwordHash), \(Self.text(roles)), \(time.secondsSince1970()))
                RETURNING \(Self.columns)
                """,
                as: Row.self
            )
            guard let row else { throw AccountError.exists(email.text) }
            return row.account
        } catch let error as DatabaseError where error.isConflict(on: "accounts.email_key") {
            throw AccountError.exists(email.text)
        }
    }

    /// Replaces the hash of an account's password.
    public func setPasswordHash(_ hash: String, of id: Int) async throws {
        try await database.execute("UPDATE accounts SET password_hash = \(hash) WHERE id = \(id)")
    }

    /// Replaces the hash of an account's password if it is still the same, and the account is not disabled.
    public func replacePasswordHash(_ old: String, with new: String, of id: Int) async throws -> Bool {
        try await database.execute(
            """
            UPDATE accounts SET password_hash = \(new)
            WHERE id = \(id) AND password_hash = \(old) AND disabled = 0
            """
        ) > 0
    }

    /// Disables an account, so that it cannot sign in, or enables it again.
    public func setDisabled(_ isDisabled: Bool, of id: Int) async throws {
        try await database.execute("UPDATE accounts SET disabled = \(isDisabled ? 1 : 0) WHERE id = \(id)")
    }

    /// Replaces the roles of an account.
    public func setRoles(_ roles: Set<String>, of id: Int) async throws {
        try await database.execute("UPDATE accounts SET roles = \(Self.text(roles)) WHERE id = \(id)")
    }
}
