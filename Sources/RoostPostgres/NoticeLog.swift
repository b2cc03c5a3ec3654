internal import CPostgres
import Logging
import RoostSQL

/// Writes the server's notices to the log. Without it libpq would print them.
final class NoticeLog: Sendable {
    private let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    /// Attaches to a connection; the log must live as long as the connection.
    func attach(to connection: OpaquePointer) {
        PQsetNoticeProcessor(
            connection,
            { log, message in
                guard let log else { return }
                Unmanaged<NoticeLog>.fromOpaque(log).takeUnretainedValue().take(message)
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func take(_ message: UnsafePointer<CChar>?) {
        logger.debug("PostgreSQL says: \(DatabaseError.firstLine(message))")
    }
}
