import Roost
import RoostAuth

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
}
