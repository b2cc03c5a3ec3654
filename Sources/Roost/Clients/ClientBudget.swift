import Synchronization

/// A limit on the number of lasting things of one kind, event streams or WebSockets, that clients have open, in all and
/// for each client. It counts for all loops of a server together: anybody who opens one after the other would otherwise
/// have all connections.
///
/// A client is an ``IPAddress/network``. Its ``IPAddress/site`` may have four times as many.
final class ClientBudget: Sendable {
    let limit: Int
    let limitForAddress: Int
    /// The budget that they share with things of other kinds; nil without one.
    private let whole: ClientBudget?
    private let state = Mutex(State())

    private struct State {
        var total = 0
        /// The number of things that each network has open; only networks that have any.
        var counts: [IPNetwork: Int] = [:]

        mutating func giveBack(_ network: IPNetwork) {
            guard let count = counts[network] else { return }
            counts[network] = count > 1 ? count - 1 : nil
        }
    }

    /// The limit of a site, as a multiple of a network's.
    private static let networksOfSite = 4

    init(_ limit: Int = .max, forAddress limitForAddress: Int = .max, within whole: ClientBudget? = nil) {
        self.limit = limit
        self.limitForAddress = limitForAddress
        self.whole = whole
    }

    /// The number of things that are open.
    var count: Int { state.withLock { $0.total } }

    /// Lets a client have one more, which ``leave(_:)`` gives back. False when there are too many, in all or from its
    /// address.
    func enter(_ ip: IPAddress?) -> Bool {
        guard take(ip) else { return false }
        guard let whole, !whole.enter(ip) else { return true }
        giveBack(ip)
        return false
    }

    /// Gives back what ``enter(_:)`` took, when one of a client's things is closed.
    func leave(_ ip: IPAddress?) {
        giveBack(ip)
        whole?.leave(ip)
    }

    private func take(_ ip: IPAddress?) -> Bool {
        state.withLock { state in
            guard state.total < limit else { return false }
            if limitForAddress < .max, let ip {
                let ofSite = limitForAddress.multipliedReportingOverflow(by: Self.networksOfSite)
                guard state.counts[ip.network, default: 0] < limitForAddress else { return false }
                if let site = ip.site {
                    guard ofSite.overflow || state.counts[site, default: 0] < ofSite.partialValue else { return false }
                    state.counts[site, default: 0] += 1
                }
                state.counts[ip.network, default: 0] += 1
            }
            state.total += 1
            return true
        }
    }

    private func giveBack(_ ip: IPAddress?) {
        state.withLock { state in
            state.total -= 1
            guard let ip else { return }
            state.giveBack(ip.network)
            if let site = ip.site { state.giveBack(site) }
        }
    }
}

/// The budgets for what clients keep open.
package struct ClientBudgets: Sendable {
    /// The budget of event streams.
    var streams = ClientBudget()
    /// The budget of WebSockets.
    var webSockets = ClientBudget()
}
