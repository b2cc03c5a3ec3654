import Roost
public import RoostSQL

/// A store that keeps audit events in a table for a time, by default 90 days. ``AuthMigrations`` make the table.
public struct SQLAuditLog: AuditLog {
    private let database: Database
    /// The time in seconds for which events are kept.
    private let retention: Int

    /// The most old events that are deleted with each new one.
    private static let sweep = 10

    /// Creates a store in a database.
    /// - Parameter retention: The time for which events are kept.
    public init(_ database: Database, retention: Duration = .seconds(90 * 24 * 3600)) {
        self.database = database
        self.retention = retention.wholeSeconds
    }

    private struct Row: Decodable, Sendable {
        let at: Int
        let kind: String
        let account: Int?
        let address, device: String?

        var event: AuditEvent? {
            AuditEvent.Kind(rawValue: kind).map {
                AuditEvent($0, account: account, address: address, device: device, time: at)
            }
        }
    }

    /// Keeps an event, and deletes some that are too old.
    public func record(_ event: AuditEvent) async throws {
        try await database.batch([
            """
            INSERT INTO audit_log (at, kind, account, address, device)
            VALUES (\(event.time), \(event.kind.rawValue), \(event.account), \(event.address), \(event.device))
            """,
            """
            DELETE FROM audit_log WHERE id IN
                (SELECT id FROM audit_log WHERE at < \(event.time - retention) ORDER BY at LIMIT \(Self.sweep))
            """,
        ])
    }

    /// Returns the last events of an account, the newest first.
    public func events(of account: Int, limit: Int) async throws -> [AuditEvent] {
        try await database.query(
            """
            SELECT at, kind, account, address, device FROM audit_log WHERE account = \(account)
            ORDER BY at DESC, id DESC LIMIT \(limit)
            """,
            as: Row.self
        ).compactMap(\.event)
    }
}
