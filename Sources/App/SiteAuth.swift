import Logging
import Roost
import RoostAuth
import RoostSQL

extension Auth {
    /// Returns the authentication of the site, for people and programs: with stores in the database, or in memory
    /// without one.
    static func site(_ settings: Settings, _ database: Database?, logger: Logger) -> Auth {
        let sessions: any OwnedSessionStore =
            database.map {
                SQLSessionStore(
                    $0, idleTimeout: settings.sessionIdleTimeout, lifetime: settings.sessionLifetime)
            } ?? MemorySessionStore(idleTimeout: settings.sessionIdleTimeout, lifetime: settings.sessionLifetime)
        let stored: any AccountStore = database.map { SQLAccounts($0) } ?? MemoryAccounts()
        let failures: any ThrottleStore = database.map { SQLThrottleStore($0) } ?? MemoryThrottleStore()
        let function = Argon2id(memory: settings.passwordMemory * 1024, passes: settings.passwordPasses)
        return Auth(
            accounts: settings.environment == .development ? DemoAccounts(stored) : stored,
            sessions: sessions,
            passwords: Passwords(function),
            throttle: settings.throttlesSignIns ? Throttle(failures) : nil,
            audit: database.map { SQLAuditLog($0) } ?? MemoryAuditLog(),
            tokens: database.map { SQLTokens($0) } ?? MemoryTokens(),
            key: settings.signingKey ?? .random(),
            isHTTPS: settings.isHTTPS,
            loginPath: LoginController.login.url(),
            logger: logger
        )
    }
}

extension Request {
    /// The email address that the visitor has signed in with; nil when the visitor has not.
    var signedInAs: String? {
        get async throws { try await currentUser?.email }
    }
}
