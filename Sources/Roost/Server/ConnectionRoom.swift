import Glibc
import Synchronization

/// How many connections a server may still have, counted for all of its loops.
final class ConnectionRoom: Sendable {
    let capacity: Int
    private let count = Atomic(0)
    private let wish = Atomic(false)

    init(_ capacity: Int) { self.capacity = capacity }

    /// As much room as a configuration says, or as the file descriptors allow, whose limit is raised for that.
    convenience init(_ configuration: ServerConfiguration) {
        let descriptors = Self.raiseDescriptorLimit()
        let maximum = configuration.maximumConnections
        self.init(maximum > 0 ? maximum : Self.capacity(descriptors: descriptors))
    }

    /// Takes one place. False when there is none.
    func enter() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= capacity else {
            leave()
            return false
        }
        return true
    }

    /// Takes one place whether or not there is one.
    func enterAnyway() { count.add(1, ordering: .relaxed) }

    /// Gives a place back.
    func leave() { count.subtract(1, ordering: .relaxed) }

    /// A loop has a client to accept, no room for it, and no idle connection of its own. It says so again and again as
    /// long as that is so.
    func wishForPlace() { wish.store(true, ordering: .relaxed) }

    /// Whether some loop has wished for a place since this was last asked, or since somebody was accepted.
    func takeWish() -> Bool { wish.load(ordering: .relaxed) && wish.exchange(false, ordering: .relaxed) }

    /// The most file descriptors that are asked for.
    private static let mostDescriptors: rlim_t = 1 << 20

    /// Raises the soft limit of file descriptors to the hard one, which costs nothing without `select(2)`, and returns
    /// it.
    static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        let wanted = min(limit.rlim_max, mostDescriptors)
        if limit.rlim_cur < wanted {
            var raised = limit
            raised.rlim_cur = wanted
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        return Int(min(limit.rlim_cur, mostDescriptors))
    }

    /// How many of a number of file descriptors are for connections: the rest is for files, databases and the loops.
    static func capacity(descriptors: Int) -> Int { max(1, descriptors - max(32, descriptors / 8)) }
}
