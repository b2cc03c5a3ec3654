public import Roost
public import RoostSQL

/// A store of accounts in a table, for any number of instances that share the database. ``AuthMigrations`` make the
/// table.
public struct SQLAccounts: AccountStore {
    private let database: Database
    private let now: @Sendable () -> Int

    /// Creates a store in a database.
    /// - Parameter now: The time in seconds since 1970.
    public init(_ database: Database, now: @escaping @Sendable () -> Int = TimeSource.current.secondsSince1970) {
        self.database = database
        self.now = now
    }

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

    /// Returns the first 10,000 accounts.
    public func all() async throws -> [Account] {
        try await database.query("SELECT \(Self.columns) FROM accounts ORDER BY id LIMIT 10000", as: Row.self)
            .map(\.account)
    }

    /// Returns whether there are no accounts.
    public func isEmpty() async throws -> Bool {
        try await database.first("SELECT id FROM accounts LIMIT 1", as: Int.self) == nil
    }

    /// Adds an account.
    public func add(_ email: EmailAddress, passwordHash: String, roles: Set<String>) async throws -> Account {
        guard email.isPlausible else { throw AccountError.notAnAddress(email.text) }
        do {
            let row = try await database.first(
                """
                INSERT INTO accounts (email, email_key, password_hash, roles, created_at)
                VALUES (\(email.text), \(email.key), \(passwordHash), \(Self.text(roles)), \(now()))
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
