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
        let audit = SQLAuditLog(database)
        return Auth(
            accounts: settings.environment == .development ? DemoAccounts(accounts) : accounts,
            sessions: Storage.sessions(settings, database),
            passwords: Passwords(
                Argon2id(memory: settings.passwordMemory * 1024, passes: settings.passwordPasses)),
            throttle: settings.throttlesSignIns ? Throttle(SQLThrottleStore(database)) : nil,
            audit: changes.map { ToldAuditLog(log: audit, changes: $0) } ?? audit,
            tokens: SQLTokens(database),
            key: settings.signingKey ?? .random(),
            isHTTPS: settings.isHTTPS,
            loginPath: LoginController.login.url(),
            logger: logger
        )
    }
}

/// The member who sends a request to the pages of members.
struct Member: Sendable {
    /// The id of the account.
    let id: Int
    let email: String
}

extension Member {
    /// The middleware that loads the member of a request.
    static func users(_ auth: Auth) -> Users<Member> { Users(auth) { Member(id: $0.id, email: $0.email) } }
}

extension Request {
    /// The member, behind the middleware ``Member/users(_:)``.
    /// - Throws: 401 for a visitor, and for a member whose account has been disabled.
    var member: Member {
        get async throws { try await allow(Member.self) }
    }

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

/// An audit log that tells of each event that it keeps.
struct ToldAuditLog: AuditLog {
    let log: any AuditLog
    let changes: any TopicProtocol<AccountChange>

    func record(_ event: AuditEvent) async throws {
        try await log.record(event)
        if let account = event.account { try await changes.publish(AccountChange(account: account)) }
    }

    func events(of account: Int, limit: Int) async throws -> [AuditEvent] {
        try await log.events(of: account, limit: limit)
    }

    func events(of account: Int, kinds: Set<AuditEvent.Kind>, limit: Int) async throws -> [AuditEvent] {
        try await log.events(of: account, kinds: kinds, limit: limit)
    }
}
