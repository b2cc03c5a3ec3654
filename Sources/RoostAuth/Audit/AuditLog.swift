import Roost
public import RoostSQL
import Synchronization

/// A store of audit events, in which the owner of an account can look up what has happened to it.
public protocol AuditLog: Sendable {
    /// Keeps an event.
    ///
    /// An event without an account (an attempt at an address that nobody has) need not be kept. But the store must do
    /// the same writes for it: otherwise, the time of the next write reveals which addresses have an account.
    func record(_ event: AuditEvent) async throws
    /// Returns the last events of an account, the newest first.
    func events(of account: Int, limit: Int) async throws -> [AuditEvent]
    /// Returns the last events of some kinds, the newest first, however many of other kinds the account has.
    func events(of account: Int, kinds: Set<AuditEvent.Kind>, limit: Int) async throws -> [AuditEvent]
}

extension AuditLog {
    /// Returns the events of some kinds among the account's last 10,000 events, the newest first.
    public func events(of account: Int, kinds: Set<AuditEvent.Kind>, limit: Int) async throws -> [AuditEvent] {
        let events = try await events(of: account, limit: 10_000)
        return Array(events.lazy.filter { kinds.contains($0.kind) }.prefix(limit))
    }
}

/// A record of something that happened to an account, or was attempted. It never contains a password or a token.
public struct AuditEvent: Sendable, Equatable {
    /// The kind of an event. The names are stored, and shown in logs.
    public enum Kind: String, Sendable, CaseIterable {
        /// A sign-in; below, one with a wrong password, and one refused unchecked after too many failures.
        case signedIn = "sign-in ok"
        case signInFailed = "sign-in failed"
        case signInThrottled = "sign-in throttled"
        case signedOut = "signed out"
        /// A session began; below, it got a new token, and it was ended by its owner, perhaps from elsewhere.
        case sessionStarted = "session started"
        case sessionRenewed = "session renewed"
        case sessionEnded = "session ended"
        case allSessionsEnded = "all sessions ended"
        case passwordChanged = "password changed"
        case passwordRefused = "password change refused"
        case tokenMade = "token made"
        case tokenRevoked = "token revoked"
        case accountAdded = "account added"
        case accountDisabled = "account disabled"
        case accountEnabled = "account enabled"
        case rolesChanged = "roles changed"
    }

    /// The kind of the event.
    public let kind: Kind
    /// The id of the account; nil for an address that no account has, and for the refusal of a whole network. What was
    /// typed is not kept: it may be a password.
    public let account: Int?
    /// The client's address; nil for the command line, and if the handler did not pass its request.
    public let address: String?
    /// The client's browser and system, such as `Firefox on Linux`; nil where the address is.
    public let device: String?
    /// The time of the event, in seconds since 1970.
    public let time: Int

    /// Creates an event.
    public init(_ kind: Kind, account: Int?, address: String? = nil, device: String? = nil, time: Int) {
        self.kind = kind
        self.account = account
        self.address = address
        self.device = device
        self.time = time
    }
}

/// A store of the last 10,000 audit events in memory: for one process, until it ends.
package final class MemoryAuditLog: AuditLog {
    private let events = Mutex<[AuditEvent]>([])
    private static let maximumCount = 10_000

    /// Creates an empty log.
    package init() {}

    /// Keeps an event of an account; when the log is full, the oldest tenth is dropped.
    package func record(_ event: AuditEvent) {
        guard event.account != nil else { return }
        events.withLock { events in
            if events.count >= Self.maximumCount { events.removeFirst(Self.maximumCount / 10) }
            events.append(event)
        }
    }

    /// Returns the last events of an account, the newest first.
    package func events(of account: Int, limit: Int) -> [AuditEvent] {
        events.withLock { events in Array(events.reversed().lazy.filter { $0.account == account }.prefix(limit)) }
    }

    /// All events that are kept, the oldest first.
    var all: [AuditEvent] { events.withLock { $0 } }
}

/// A store that keeps audit events in a table for a time, by default 90 days. ``AuthMigrations`` make the table.
public struct SQLAuditLog: AuditLog {
    private let database: Database
    /// The time in seconds for which events are kept.
    private let retention: Int
    private let onRecord: @Sendable (AuditEvent) async throws -> Void

    /// The most old events that are deleted with each new one.
    private static let sweep = 10

    /// Creates a store in a database.
    /// - Parameters:
    ///   - retention: The time for which events are kept.
    ///   - onRecord: Called for each event, even for those without an account, which are not kept. It must do the same
    ///     work for both: otherwise, its duration reveals whether there is an account. ``record(_:)`` rethrows its
    ///     errors.
    public init(
        _ database: Database, retention: Duration = .seconds(90 * 24 * 3600),
        onRecord: @escaping @Sendable (AuditEvent) async throws -> Void = { _ in }
    ) {
        self.database = database
        self.retention = retention.wholeSeconds
        self.onRecord = onRecord
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

    /// Keeps an event, and deletes some that are too old. An event without an account is written like any other, but
    /// does not stay, since nobody can look it up.
    public func record(_ event: AuditEvent) async throws {
        let insertion: SQL = """
            INSERT INTO audit_log (at, kind, account, address, device)
            VALUES (\(event.time), \(event.kind.rawValue), \(event.account), \(event.address), \(event.device))
            """
        let ownRemoval: SQL = "DELETE FROM audit_log WHERE account IS NULL AND at = \(event.time)"
        do {
            try await database.batch([
                insertion,
                database.removal(
                    of: Self.sweep, from: "audit_log", by: "id", where: "at < \(event.time - retention) ORDER BY at"),
                ownRemoval,
            ])
        } catch DatabaseError.serializationFailure {
            // Where transactions are serializable, two conflict in what they remove. Alone, the event conflicts with
            // none.
            try await database.execute(insertion)
            _ = try? await database.execute(ownRemoval)
        }
        try await onRecord(event)
    }

    /// Returns the last events of an account, the newest first.
    public func events(of account: Int, limit: Int) async throws -> [AuditEvent] {
        try await events(where: "account = \(account)", limit)
    }

    /// Returns the last events of some kinds, the newest first.
    public func events(of account: Int, kinds: Set<AuditEvent.Kind>, limit: Int) async throws -> [AuditEvent] {
        try await events(where: "account = \(account) AND kind IN \(list: kinds.map(\.rawValue).sorted())", limit)
    }

    private func events(where condition: SQL, _ limit: Int) async throws -> [AuditEvent] {
        try await database.queryAll(
            """
            SELECT at, kind, account, address, device FROM audit_log WHERE \(condition)
            ORDER BY at DESC, id DESC LIMIT \(limit)
            """,
            as: Row.self
        ).compactMap(\.event)
    }
}
