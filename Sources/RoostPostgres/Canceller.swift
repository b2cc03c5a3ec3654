internal import CPostgres
import RoostSQL
import Synchronization

/// Asks the server to end a statement, over a connection of its own, which libpq makes blocking.
///
/// Only one request is under way at a time: were the server unreachable, each would hold a thread for minutes.
final class Canceller: Sendable {
    private let isBusy = Mutex(false)
    private let timing: PoolTiming

    init(timing: PoolTiming = PoolTiming()) { self.timing = timing }

    /// Returns when the server has been asked; false when it cannot be asked now, or has not taken the request in time.
    /// Then the request may strike at any moment, and the connection is good for nothing any more.
    func cancel(_ connection: PostgresConnection, within patience: Duration) async -> Bool {
        guard begin() else { return false }
        let (answers, answer) = AsyncStream<Bool>.makeStream()
        BackgroundTask.start {
            let isTaken = try? await PostgresConnection.blocking { Self.request(connection) }
            self.isBusy.withLock { $0 = false }
            answer.yield(isTaken ?? false)
        }
        let timer = BackgroundTask.start { [timing] in
            try? await timing.sleep(patience)
            answer.yield(false)
        }
        defer { timer.cancel() }
        return await answers.first { _ in true } ?? false
    }

    private func begin() -> Bool {
        isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
    }

    private static func request(_ connection: PostgresConnection) -> Bool {
        guard let request = PQgetCancel(connection.handle) else { return false }
        defer { PQfreeCancel(request) }
        var message = [CChar](repeating: 0, count: 256)
        return PQcancel(request, &message, 256) == 1
    }
}
