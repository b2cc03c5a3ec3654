internal import CPostgres
import Logging
import RoostSQL

/// Takes what the server says beside its answers to the log. Without it libpq would print it.
final class NoticeLog: Sendable {
    private let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    /// Begins; the log must stay as long as the connection.
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
