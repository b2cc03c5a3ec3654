import Synchronization

/// The room for further connections of a server, counted for all of its loops.
package final class ConnectionRoom: Sendable {
    let capacity: Int
    private let count = Atomic(0)
    private let wish = Atomic(false)

    package init(_ capacity: Int) { self.capacity = capacity }

    /// Creates as much room as the configuration allows, but no more than there are file descriptors for.
    convenience init(_ configuration: ServerConfiguration, _ shares: DescriptorShares = .process) {
        self.init(min(configuration.maximumConnections ?? .max, shares.connections))
    }

    /// Takes one place. False when there is none.
    func enter() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= capacity else {
            leave()
            return false
        }
        return true
    }

    /// Takes one place even if there is none.
    func enterAnyway() { count.add(1, ordering: .relaxed) }

    /// Gives a place back.
    func leave() { count.subtract(1, ordering: .relaxed) }

    /// Notes that a loop has a client to accept, no room for it, and no idle or slow connection of its own. The loop
    /// repeats this as long as it is so.
    func wishForPlace() { wish.store(true, ordering: .relaxed) }

    /// Whether a loop has wished for a place since the last call, or since a client was last accepted.
    func takeWish() -> Bool { wish.load(ordering: .relaxed) && wish.exchange(false, ordering: .relaxed) }
}
