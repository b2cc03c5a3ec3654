import Glibc

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

    /// The shares of this process, whose limit is raised first.
    static let process = DescriptorShares(of: raiseLimit())

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
