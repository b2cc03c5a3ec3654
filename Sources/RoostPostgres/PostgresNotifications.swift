internal import CPostgres
import Logging
import RoostSQL

/// What comes from `LISTEN` (PostgreSQL, `sql-notify`).
public enum PostgresEvent: Sendable, Hashable {
    /// From now on nothing is missed. It comes first, and again when the connection was lost and is back: what was sent
    /// in between is not known, so whoever keeps a copy of something reads it anew.
    case listening
    /// Somebody has said `NOTIFY channel, 'payload'` in a transaction that is committed.
    case notification(channel: String, payload: String)
}

/// Notifications on some channels, without an end: it connects again, as often as it must.
///
///     for try await event in driver.notifications(on: ["users"]) { … }
///
/// Each iteration has a connection of its own beside the pool's. It ends when its task is cancelled.
public struct PostgresNotifications: AsyncSequence, Sendable {
    /// One event.
    public typealias Element = PostgresEvent
    /// `CancellationError`; ``DatabaseError`` when the server refuses to listen.
    public typealias Failure = any Error

    let channels: [String]
    let timing: PoolTiming
    let logger: Logger
    let open: @Sendable () async throws -> PostgresConnection

    /// Connects at the first event that is asked for.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Where somebody is in the notifications.
    public final class Iterator: AsyncIteratorProtocol {
        private let source: PostgresNotifications
        private var connection: PostgresConnection?
        private var failures = 0

        init(_ source: PostgresNotifications) { self.source = source }

        /// The next event; waits for it as long as it takes.
        public func next() async throws -> PostgresEvent? {
            while true {
                do {
                    guard let connection else {
                        connection = try await listen()
                        return .listening
                    }
                    return try await connection.nextNotification()
                } catch let error as DatabaseError where error.isUnavailability {
                    connection = nil
                    try await pause(error)
                }
            }
        }

        private func listen() async throws -> PostgresConnection {
            let connection = try await source.open()
            // The first 63 bytes count for the server, which says so in its log.
            let statements = try source.channels.map { "LISTEN \(try SQLIdentifier($0).quoted);" }
            try await connection.run(statements.joined(), until: .now + .seconds(10))
            failures = 0
            return connection
        }

        private func pause(_ error: DatabaseError) async throws {
            failures += 1
            let delay = Backoff.delay(failures: failures, random: source.timing.random())
            source.logger.warning("Notifications are interrupted: \(error) The next attempt to listen is in \(delay).")
            try await source.timing.sleep(delay)
        }
    }
}

extension PostgresDriver {
    /// What others notify on these channels, from the first event that is asked for.
    public func notifications(on channels: [String]) -> PostgresNotifications {
        PostgresNotifications(channels: channels, timing: pool.timing, logger: logger) {
            [parameters, configuration, logger, warning] in
            try await PostgresConnection.open(parameters, configuration, logger, warning)
        }
    }
}

extension PostgresConnection {
    /// The keep-alive of TCP notices when the other end is gone.
    fileprivate func nextNotification() async throws -> PostgresEvent {
        while true {
            if let notification = PQnotifies(handle) {
                defer { PQfreemem(notification) }
                return .notification(
                    channel: String(cString: notification.pointee.relname),
                    payload: String(cString: notification.pointee.extra)
                )
            }
            do {
                try await exchange(until: .now + .seconds(3600))
            } catch DatabaseError.timeout {}
            guard PQisBusy(handle) == 0, isIdle else { throw lost }
        }
    }
}
