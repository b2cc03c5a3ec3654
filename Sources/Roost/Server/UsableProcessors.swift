internal import CLinux
import Glibc

/// The processors that the process may use: those that its affinity names, or fewer if its control group has a quota of
/// their time, as in a container.
enum UsableProcessors {
    /// The number at the start, at least 1.
    static let count = limit(of: .current, machine: affinity)

    /// The smallest of the machine's processors and the quotas of control groups, of which a part of a processor counts
    /// as a whole one.
    static func limit(of groups: ControlGroups, machine: Int) -> Int {
        groups.folders("cpu").reduce(machine) { least, folder in
            // Microseconds in each period: `150000 100000`, or `max 100000` without a quota (-1 in version 1).
            let words =
                folder.isFirstVersion
                ? groups.words(folder.path + "/cpu.cfs_quota_us") + groups.words(folder.path + "/cpu.cfs_period_us")
                : groups.words(folder.path + "/cpu.max")
            guard words.count == 2, let quota = Int(words[0]), let period = Int(words[1]), quota > 0, period > 0 else {
                return least
            }
            return min(least, max(1, quota / period + (quota % period == 0 ? 0 : 1)))
        }
    }

    private static var affinity: Int {
        var mask = [UInt64](repeating: 0, count: 16)
        guard sched_getaffinity(0, mask.count * 8, &mask) == 0 else { return 1 }
        return max(1, mask.reduce(0) { $0 + $1.nonzeroBitCount })
    }
}
