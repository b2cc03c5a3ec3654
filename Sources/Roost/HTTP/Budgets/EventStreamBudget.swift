import Synchronization

/// How many event streams a server keeps open, counted for all of its loops together: a stream lasts, so anybody who
/// opens one after the other would otherwise have all connections.
final class EventStreamBudget: Sendable {
    let limit: Int
    let limitForAddress: Int
    private let state = Mutex(State())

    private struct State {
        var total = 0
        /// Only addresses that have one.
        var counts: [IPAddress: Int] = [:]
    }

    init(_ limit: Int = .max, forAddress limitForAddress: Int = .max) {
        self.limit = limit
        self.limitForAddress = limitForAddress
    }

    /// How many are open.
    var count: Int { state.withLock { $0.total } }

    /// Lets a client have one more; nil when there are too many, in all or from its address.
    func enter(_ ip: IPAddress?) -> EventStreamLease? {
        let isIn = state.withLock { state in
            guard state.total < limit else { return false }
            if let ip {
                let count = state.counts[ip, default: 0]
                guard count < limitForAddress else { return false }
                state.counts[ip] = count + 1
            }
            state.total += 1
            return true
        }
        return isIn ? EventStreamLease(self, ip) : nil
    }

    fileprivate func leave(_ ip: IPAddress?) {
        state.withLock { state in
            state.total -= 1
            guard let ip, let count = state.counts[ip] else { return }
            state.counts[ip] = count > 1 ? count - 1 : nil
        }
    }
}

/// The place of one stream, which is given back when nothing refers to it any more.
final class EventStreamLease: Sendable {
    private let budget: EventStreamBudget
    private let ip: IPAddress?

    fileprivate init(_ budget: EventStreamBudget, _ ip: IPAddress?) {
        self.budget = budget
        self.ip = ip
    }

    deinit { budget.leave(ip) }
}

extension HTTPError {
    /// The error for a client that does not fit into an ``EventStreamBudget``.
    static var tooManyEventStreams: HTTPError {
        HTTPError(.serviceUnavailable, "Too many event streams are open.", headers: [.retryAfter: "10"])
    }
}
