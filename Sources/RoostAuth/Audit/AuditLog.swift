/// A store of audit events, so that an account's owner can look at them.
public protocol AuditLog: Sendable {
    /// Keeps an event.
    func record(_ event: AuditEvent) async throws
    /// The last events of an account, the newest first.
    func events(of account: Int, limit: Int) async throws -> [AuditEvent]
}
