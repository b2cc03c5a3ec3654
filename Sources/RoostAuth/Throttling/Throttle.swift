import Roost

/// The delays that slow down those who guess passwords, and nobody else for long.
///
/// Failures are counted under keys: the account with the address and with the larger networks around it, the address
/// alone, and the account alone. A device that has signed in to the account before has a key of its own instead of
/// those with the account, so failures from other addresses do not slow it down; all such devices of an account at one
/// address have one more together. Keys are hashes: what was typed is not kept.
public struct Throttle: Sendable {
    private let store: any ThrottleStore
    private let limits: ThrottleLimits
    private let time = TimeSource.current

    /// Creates the delays with a store of failures, by default in memory, and its limits.
    public init(_ store: (any ThrottleStore)? = nil, limits: ThrottleLimits = ThrottleLimits()) {
        self.store = store ?? MemoryThrottleStore()
        self.limits = limits
    }

    /// An attempt that has begun.
    struct Attempt: Sendable {
        fileprivate let lanes: [Lane]
        fileprivate let time: Int
    }

    /// Whether an attempt may begin.
    enum Verdict: Sendable {
        case allowed(Attempt)
        /// The attempt has to wait for this many seconds, at least one, for failures at its account.
        case refused(seconds: Int)
        /// The attempt has to wait only for failures from its network, at whatever accounts.
        case networkRefused(seconds: Int)
    }

    fileprivate struct Lane: Sendable {
        let key: String
        let rule: ThrottleRule
        /// Whether it has the failures at one account.
        let isOfAccount: Bool
        /// Whether a success clears it, instead of taking back only its own attempt.
        let isCleared: Bool

        init(_ parts: [String], _ rule: ThrottleRule, isOfAccount: Bool = true, isCleared: Bool = false) {
            key = SHA256.hexadecimal(of: parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
            self.rule = rule
            self.isOfAccount = isOfAccount
            self.isCleared = isCleared
        }
    }

    /// Begins an attempt, which counts as failed from now on.
    /// - Parameters:
    ///   - account: The key of the address that was typed.
    ///   - network: The network from which the attempt comes.
    ///   - home: The larger network around it, if there is one.
    ///   - site: The larger network around that.
    ///   - device: The device that has signed in to this account before; nil for any other.
    func begin(
        account: String, network: String, home: String? = nil, site: String? = nil, device: String?
    ) async throws -> Verdict {
        let lanes = lanes(account, network, home, site, device)
        let now = time.millisecondsSince1970()
        let keys = lanes.map(\.key)
        let known = try await store.histories(keys)
        // A failure that another clock has dated ahead is dated anew, or the attempt would have to wait for that clock.
        let isAhead = known.contains { $0.isAhead(of: now) }
        if !isAhead, let refusal = Self.refusal(known, lanes, now) { return refusal }
        let refusal = try await store.update(keys, at: now) { histories in
            let refusal = Self.refusal(histories, lanes, now)
            for index in histories.indices {
                if refusal == nil { histories[index].times.append(now) }
                histories[index].forget(lanes[index].rule, at: now)
            }
            return refusal
        }
        return refusal ?? .allowed(Attempt(lanes: lanes, time: now))
    }

    /// Notes that an attempt has succeeded: its account has no failures any more where it came from.
    func succeed(_ attempt: Attempt) async throws { try await takeBack(attempt, clears: true) }

    /// Takes an attempt back in which no password was compared.
    func withdraw(_ attempt: Attempt) async throws { try await takeBack(attempt, clears: false) }

    /// Does so also for a client that goes away meanwhile: its attempt has not failed.
    private func takeBack(_ attempt: Attempt, clears: Bool) async throws {
        try await toTheEnd {
            try await store.update(attempt.lanes.map(\.key), at: time.millisecondsSince1970()) { histories in
                for (index, lane) in attempt.lanes.enumerated() {
                    if clears, lane.isCleared {
                        histories[index].times = []
                    } else {
                        histories[index].takeBack(attempt.time)
                    }
                }
            }
        }
    }

    private func lanes(
        _ account: String, _ network: String, _ home: String?, _ site: String?, _ device: String?
    ) -> [Lane] {
        var lanes = [Lane(["address", network], limits.address, isOfAccount: false)]
        if let site { lanes.append(Lane(["site", site], limits.site, isOfAccount: false)) }
        if let device {
            // Whoever has the password can make any number of devices: together they would fill the hashes' queue.
            return lanes + [
                Lane(["device", account, device], limits.pair, isCleared: true),
                Lane(["devices", account, network], limits.devices),
            ]
        }
        lanes.append(Lane(["pair", account, network], limits.pair, isCleared: true))
        if let home { lanes.append(Lane(["pair", account, home], limits.homePair)) }
        if let site { lanes.append(Lane(["pair", account, site], limits.sitePair)) }
        return lanes + [Lane(["account", account], limits.account)]
    }

    /// Returns the verdict for an attempt that has to wait, for as long as any lane says; nil when it need not.
    private static func refusal(_ histories: [FailureHistory], _ lanes: [Lane], _ now: Int) -> Verdict? {
        let waits = zip(histories, lanes).map { history, lane in
            var history = history
            history.forget(lane.rule, at: now)
            return history.wait(lane.rule, at: now)
        }
        guard let wait = waits.max(), wait > 0 else { return nil }
        let seconds = Duration.milliseconds(wait).wholeSeconds
        let isOfAccount = zip(waits, lanes).contains { $0 > 0 && $1.isOfAccount }
        return isOfAccount ? .refused(seconds: seconds) : .networkRefused(seconds: seconds)
    }
}
