import Glibc
import Synchronization

/// A limit on the number of files that are open at once while they are sent to clients. A file that comes from another
/// server meanwhile counts, too: its connection has a descriptor.
package final class FileBudget: Sendable {
    private let capacity: Int
    private let count = Atomic(0)

    /// A budget of a number of files.
    package init(_ capacity: Int) { self.capacity = capacity }

    /// The budget of the whole process, since its file descriptors belong to the process.
    package static let process = FileBudget(DescriptorShares.process.files)

    /// Takes a place. False when there is none.
    ///
    /// A quarter of the places is off limits to slow files, which stay open until their client has taken them. The
    /// others, such as style sheets, are closed within a turn.
    package func enter(isSlow: Bool) -> Bool {
        let most = isSlow ? slowCapacity : capacity
        guard count.add(1, ordering: .relaxed).newValue <= most else {
            leave()
            return false
        }
        return true
    }

    private var slowCapacity: Int { capacity - capacity / 4 }

    /// The number of places that are left for slow files.
    var slowPlacesLeft: Int { max(0, slowCapacity - count.load(ordering: .relaxed)) }

    /// Whether more than half of the places are taken.
    var runsShort: Bool { count.load(ordering: .relaxed) > capacity / 2 }

    /// Gives a place back.
    package func leave() { count.subtract(1, ordering: .relaxed) }
}

/// The shares of connections and of files in a process's file descriptors, made so that no client can take the last
/// one. An eighth, at least 32, is for databases, event loops and what the program itself opens; of the rest, three
/// quarters are for connections, and a quarter is for files that are being sent.
struct DescriptorShares: Sendable {
    let connections: Int
    let files: Int

    init(of descriptors: Int) {
        let clients = descriptors - max(32, descriptors / 8)
        files = max(1, clients / 4)
        connections = max(1, clients - files)
    }

    /// The shares that remain when each event loop has eight descriptors for itself, its listening sockets and the
    /// databases that it reads; all of them together have at most a quarter.
    init(of descriptors: Int, loops: Int) { self.init(of: descriptors - min(8 * loops, descriptors / 4)) }

    /// The shares of this process, whose limit is raised first.
    static let process = DescriptorShares(of: raiseLimit(), loops: UsableProcessors.count)

    /// The most file descriptors that are asked for.
    private static let mostDescriptors: rlim_t = 1 << 20

    /// Raises the soft limit of file descriptors to the hard one, which costs nothing without `select(2)`, and returns
    /// it.
    private static func raiseLimit() -> Int {
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
}
