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

    private let isBusy = Mutex(false)
    private let timing: PoolTiming

    init(timing: PoolTiming = PoolTiming()) { self.timing = timing }

    /// Returns when the server has been asked, or cannot be.
    func cancel(_ connection: PostgresConnection, within patience: Duration) async -> Outcome {
        guard begin() else { return .busy }
        let (answers, answer) = AsyncStream<Bool>.makeStream()
        Task(executorPreference: EventLoop.current) {
            let isTaken = try? await PostgresConnection.blocking { Self.request(connection) }
            self.isBusy.withLock { $0 = false }
            answer.yield(isTaken ?? false)
        }
        let timer = Task(executorPreference: EventLoop.current) { [timing] in
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
