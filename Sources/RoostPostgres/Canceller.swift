internal import CPostgres
import RoostSQL
import Synchronization

/// Asks the server to end a statement, over a connection of its own, which libpq makes blocking.
///
/// Only one request is under way at a time: were the server unreachable, each would hold a thread for minutes.
final class Canceller: Sendable {
    private let isBusy = Mutex(false)

    /// False when it cannot be asked now.
    func cancel(_ connection: PostgresConnection) async throws -> Bool {
        guard
            isBusy.withLock({ isBusy in
                defer { isBusy = true }
                return !isBusy
            })
        else { return false }
        defer { isBusy.withLock { $0 = false } }
        return try await PostgresConnection.blocking {
            guard let request = PQgetCancel(connection.handle) else { return false }
            defer { PQfreeCancel(request) }
            var message = [CChar](repeating: 0, count: 256)
            return PQcancel(request, &message, 256) == 1
        }
    }
}
