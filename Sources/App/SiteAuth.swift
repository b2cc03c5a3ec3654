import Logging
import Roost
import RoostAuth
import RoostSQL

extension Auth {
    /// Returns the authentication of the site, for people and programs.
    /// - Parameter changes: The topic to which events of accounts are published; nil for none.
    static func site(
        _ settings: Settings, _ database: Database, changes: (any TopicProtocol<AccountChange>)? = nil, logger: Logger
    ) -> Auth {
        let accounts = SQLAccounts(database)
        return Auth(
            accounts: settings.isForAuthor ? DemoAccounts(accounts) : accounts,
            sessions: SQLSessionStore(
                database, idleTimeout: settings.sessionIdleTimeout, lifetime: settings.sessionLifetime),
            passwords: Passwords(
                Argon2id(memory: settings.passwordMemory * 1024, passes: settings.passwordPasses)),
            throttle: settings.throttlesSignIns ? Throttle(SQLThrottleStore(database)) : nil,
            audit: SQLAuditLog(database) { event in
                try await changes?.publish(AccountChange(account: event.account))
            },
            tokens: SQLTokens(database),
            key: settings.signingKey ?? .random(),
            isHTTPS: settings.isHTTPS,
            loginPath: LoginController.login.url(),
            logger: logger
        )
    }
}

/// The news that something has happened to an account, for the live pages that show it.
struct AccountChange: Codable, Sendable {
    /// The id of the account; nil for an attempt at an address that has none, which must take as long.
    let account: Int?
}
