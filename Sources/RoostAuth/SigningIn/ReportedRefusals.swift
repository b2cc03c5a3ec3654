import Roost
import Synchronization

/// The refusals that have been reported within the last minute, so that a flood of them does not flood the audit log.
///
/// An account has a count of its own, so that whatever is refused elsewhere, its owner learns of it: each network is
/// reported once a minute, up to ten of them. An address without an account has such a count, too; after a thousand of
/// both, all are forgotten, and some refusals are reported again. Refusals that are of no address are reported once a
/// minute for each network, up to a thousand of them.
final class ReportedRefusals: Sendable {
    private struct Minute {
        var begun: Int
        var networks: Set<String> = []

        func contains(_ now: Int) -> Bool { (begun..<begun + 60).contains(now) }
    }

    /// The minutes of accounts; refusals that are of none share one.
    private let minutes = Mutex<[Int?: Minute]>([:])

    private static let maximumAccounts = 1000
    private static let maximumNetworks = 10
    private static let maximumUnknown = 1000

    /// The reports that are not written yet. Each begins when the one before it is written.
    private struct Queue {
        var last: Task<Void, Never>?
        var count = 0
    }

    private let queue = Mutex(Queue())
    private static let maximumQueue = 1000

    /// Reports a refusal, if it is new. Nobody waits until it is written: the time would tell which accounts exist.
    /// - Returns: False if it is new and there is no room for it.
    @discardableResult
    func report(
        _ account: Int?, from network: String, at now: Int, _ write: @escaping @Sendable () async -> Void
    ) -> Bool {
        !isNew(account, from: network, at: now) || self.write(write)
    }

    /// Writes down an attempt that has failed. Nobody waits for that either: the time would tell the same.
    /// - Returns: False, and nothing is written, when a thousand others wait.
    @discardableResult
    func write(_ write: @escaping @Sendable () async -> Void) -> Bool {
        queue.withLock { queue in
            guard queue.count < Self.maximumQueue else { return false }
            queue.count += 1
            // Not on the loop of the request, which may end before.
            queue.last = Task { [last = queue.last] in
                await last?.value
                await write()
                self.queue.withLock { $0.count -= 1 }
            }
            return true
        }
    }

    /// Returns when all that was reported is written.
    func settle() async { await queue.withLock { $0.last }?.value }

    /// The same, but it does not wait longer than this.
    func settle(
        within limit: Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) async {
        _ = await inTime(limit, sleep: sleep) { await self.settle() }
    }

    /// Whether a refusal has not been reported in the last minute. From then on it has.
    func isNew(_ account: Int?, from network: String, at now: Int) -> Bool {
        minutes.withLock { minutes in
            if minutes[account]?.contains(now) != true {
                // Without room, rather report twice than not at all.
                if minutes.count > Self.maximumAccounts { minutes = minutes.filter { $0.value.contains(now) } }
                if minutes.count > Self.maximumAccounts { minutes = [:] }
                minutes[account] = Minute(begun: now)
            }
            let count = minutes[account]?.networks.count ?? 0
            guard count < (account == nil ? Self.maximumUnknown : Self.maximumNetworks) else { return false }
            return minutes[account]?.networks.insert(network).inserted ?? false
        }
    }
}
