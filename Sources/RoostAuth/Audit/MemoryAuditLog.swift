import Synchronization

/// Keeps the last 10,000 audit events in memory: for one process, until it ends.
public final class MemoryAuditLog: AuditLog {
    private let events = Mutex<[AuditEvent]>([])
    private static let maximumCount = 10_000

    /// An empty log.
    public init() {}

    /// Keeps an event; when the log is full, the oldest tenth is dropped.
    public func record(_ event: AuditEvent) {
        events.withLock { events in
            if events.count >= Self.maximumCount { events.removeFirst(Self.maximumCount / 10) }
            events.append(event)
        }
    }

    /// The last events of an account, the newest first.
    public func events(of account: Int, limit: Int) -> [AuditEvent] {
        events.withLock { events in Array(events.reversed().lazy.filter { $0.account == account }.prefix(limit)) }
    }

    /// All events that are kept, the oldest first.
    public var all: [AuditEvent] { events.withLock { $0 } }
}
