internal import CPostgres
import Logging
import RoostSQL

/// An event of `LISTEN` (PostgreSQL, `sql-notify`).
public enum PostgresEvent: Sendable, Hashable {
    /// From now on no notification is missed. It comes first, and again whenever a lost connection has been replaced.
    /// Notifications sent in between are lost, so anything that keeps a copy of the data must read it again.
    case listening
    /// A `NOTIFY channel, 'payload'` of a committed transaction.
    case notification(channel: String, payload: String)
}

/// The notifications on some channels. The sequence never ends: it reconnects as often as necessary.
///
///     for try await event in driver.notifications(on: ["users"]) { … }
///
/// Each iteration has its own connection, outside the pool. It ends when its task is cancelled.
public struct PostgresNotifications: AsyncSequence, Sendable {
    let channels: [String]
    let timing: PoolTiming
    let logger: Logger
    let open: @Sendable () async throws -> PostgresConnection

    /// Returns an iterator, which connects when the first event is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// A position in the notifications.
    public final class Iterator: AsyncIteratorProtocol {
        private let source: PostgresNotifications
        private var connection: PostgresConnection?
        private var failures = 0

        init(_ source: PostgresNotifications) { self.source = source }

        /// Waits for the next event, for as long as it takes.
        /// - Throws: `CancellationError`; ``DatabaseError`` when the server refuses to listen.
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

        /// Turns off a limit that would end a connection on which nothing is sent. PostgreSQL 13 does not have it.
        private static let patience =
            "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout';"

        private func listen() async throws -> PostgresConnection {
            let connection = try await source.open()
            // The server uses the first 63 bytes, and says so in its notices.
            let statements = try source.channels.map { "LISTEN \(try SQLIdentifier($0).quoted);" }
            try await connection.run(Self.patience + statements.joined(), until: .now + .seconds(10))
            failures = 0
            return connection
        }

        private func pause(_ error: DatabaseError) async throws {
            failures += 1
            let delay = Backoff.delay(failures: failures, random: source.timing.random())
            let channels = source.channels.joined(separator: ", ")
            source.logger.warning(
                "Notifications on \(channels) are interrupted, and are listened for again in \(delay): \(error)")
            try await source.timing.sleep(delay)
        }
    }
}

extension PostgresDriver {
    /// Returns the notifications on some channels, starting when the first event is requested.
    public func notifications(on channels: [String]) -> PostgresNotifications {
        PostgresNotifications(channels: channels, timing: pool.timing, logger: logger) {
            [listening, configuration, logger, warning] in
            var configuration = configuration
            configuration.directURL = nil
            return try await PostgresConnection.open(listening, configuration, logger, warning)
        }
    }
}

extension PostgresConnection {
    /// TCP's keep-alive notices when the other end is gone.
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

extension PostgresDriver: NotifyingDriver {
    /// Listens over a connection of its own, which is replaced as often as necessary.
    package func listen(to channel: String, _ body: @Sendable (String?) -> Void) async throws {
        for try await event in notifications(on: [channel]) {
            switch event {
            case .listening: body(nil)
            case .notification(_, let payload): body(payload)
            }
        }
    }
}
