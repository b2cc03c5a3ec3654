internal import CPostgres
import Roost
import RoostSQL
import Synchronization

/// Asks the server to end a statement, over a separate connection, on which libpq blocks.
///
/// Only one request is under way at a time: each costs the server a process, and if the server cannot be reached, each
/// would block a thread for minutes.
final class Canceller: Sendable {
    /// The result of a request.
    enum Outcome {
        /// The server has accepted it: the statement ends soon, if it has not ended already.
        case asked
        /// Another request is under way: nothing has been done.
        case busy
        /// The server has not accepted it in time. It may still take effect at any moment, so the connection can no
        /// longer be used.
        case failed
    }

    private let isBusy = Atomic(false)
    private let timing: PoolTiming

    init(timing: PoolTiming = PoolTiming()) { self.timing = timing }

    /// Returns when the server has been asked, or cannot be.
    func cancel(_ connection: PostgresConnection, within patience: Duration) async -> Outcome {
        guard !isBusy.exchange(true, ordering: .acquiringAndReleasing) else { return .busy }
        // A sleep that fails, as on a loop that ends, ends the wait, too.
        let isTaken = await inTime(patience, sleep: { [timing] in try? await timing.sleep($0) }) {
            defer { self.isBusy.store(false, ordering: .releasing) }
            // A request that is late goes on.
            return (try? await toTheEnd { try await PostgresConnection.blocking { Self.request(connection) } }) ?? false
        }
        return isTaken ?? false ? .asked : .failed
    }

    private static func request(_ connection: PostgresConnection) -> Bool {
        guard let request = PQgetCancel(connection.handle) else { return false }
        defer { PQfreeCancel(request) }
        var message = [CChar](repeating: 0, count: 256)
        return PQcancel(request, &message, 256) == 1
    }
}
