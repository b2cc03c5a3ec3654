internal import CPostgres
import RoostSQL
import Synchronization

/// Asks the server to end a statement, over a connection of its own, which libpq makes blocking.
///
/// Only one request is under way at a time: each costs the server a process, and were it unreachable, each would hold a
/// thread for minutes.
final class Canceller: Sendable {
    /// What became of a request.
    enum Outcome {
        /// The server has taken it: the statement ends soon, if it has not ended already.
        case asked
        /// Another one is under way: nothing has been done.
        case busy
        /// The server has not taken it in time. It may strike at any moment, so that the connection is good for nothing
        /// any more.
        case failed
    }

    private let isBusy = Mutex(false)
    private let timing: PoolTiming

    init(timing: PoolTiming = PoolTiming()) { self.timing = timing }

    /// Returns when the server has been asked, or cannot be.
    func cancel(_ connection: PostgresConnection, within patience: Duration) async -> Outcome {
        guard begin() else { return .busy }
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
        return await answers.first { _ in true } ?? false ? .asked : .failed
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
