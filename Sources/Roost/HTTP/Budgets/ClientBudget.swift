import Synchronization

/// How many of one kind of thing that lasts, event streams or WebSockets, clients may have open, counted for all loops
/// of a server together: anybody who opens one after the other would otherwise have all connections.
final class ClientBudget: Sendable {
    let limit: Int
    let limitForAddress: Int
    /// What they share with things of other kinds.
    private let whole: ClientBudget?
    private let state = Mutex(State())

    private struct State {
        var total = 0
        /// Only addresses that have one.
        var counts: [IPAddress: Int] = [:]
    }

    init(_ limit: Int = .max, forAddress limitForAddress: Int = .max, within whole: ClientBudget? = nil) {
        self.limit = limit
        self.limitForAddress = limitForAddress
        self.whole = whole
    }

    /// How many are open.
    var count: Int { state.withLock { $0.total } }

    /// Lets a client have one more, which ``leave(_:)`` gives back. False when there are too many, in all or from its
    /// address.
    func enter(_ ip: IPAddress?) -> Bool {
        guard take(ip) else { return false }
        guard let whole, !whole.enter(ip) else { return true }
        giveBack(ip)
        return false
    }

    /// One of a client's is closed.
    func leave(_ ip: IPAddress?) {
        giveBack(ip)
        whole?.leave(ip)
    }

    private func take(_ ip: IPAddress?) -> Bool {
        state.withLock { state in
            guard state.total < limit else { return false }
            if limitForAddress < .max, let ip {
                let count = state.counts[ip, default: 0]
                guard count < limitForAddress else { return false }
                state.counts[ip] = count + 1
            }
            state.total += 1
            return true
        }
    }

    private func giveBack(_ ip: IPAddress?) {
        state.withLock { state in
            state.total -= 1
            guard let ip, let count = state.counts[ip] else { return }
            state.counts[ip] = count > 1 ? count - 1 : nil
        }
    }
}
