import Logging
import Roost
import RoostAuth
import RoostSQL

extension Auth {
    /// Returns the authentication of the site, for people and programs.
    /// - Parameter changes: Is told of what happens to accounts; nil for nobody.
    static func site(
        _ settings: Settings, _ database: Database, changes: (any TopicProtocol<AccountChange>)? = nil, logger: Logger
    ) -> Auth {
        let accounts = SQLAccounts(database)
        return Auth(
            accounts: settings.environment == .development ? DemoAccounts(accounts) : accounts,
            sessions: Storage.sessions(settings, database),
            passwords: Passwords(
                Argon2id(memory: settings.passwordMemory * 1024, passes: settings.passwordPasses)),
            throttle: settings.throttlesSignIns ? Throttle(SQLThrottleStore(database)) : nil,
            audit: SQLAuditLog(database) { event in
                if let account = event.account { try await changes?.publish(AccountChange(account: account)) }
            },
            tokens: SQLTokens(database),
            key: settings.signingKey ?? .random(),
            isHTTPS: settings.isHTTPS,
            loginPath: LoginController.login.url(),
            logger: logger
        )
    }
}

extension Request {
    /// The email address that the visitor has signed in with, as the session says, for what every page shows; nil when
    /// the visitor has not.
    var signedInAs: String? {
        get async throws { try await currentUser?.email }
    }
}

/// Tells that something has happened to an account, so that its pages follow.
struct AccountChange: Codable, Sendable {
    /// The id of the account.
    let account: Int
}
