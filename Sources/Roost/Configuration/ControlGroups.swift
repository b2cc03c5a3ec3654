internal import CLinux
import Glibc

/// The control groups that the process is in, which limit what it may use, as in a container (`cgroups(7)`).
struct ControlGroups {
    /// The lines of `/proc/self/cgroup`.
    let text: String
    /// The text of a file; nil if there is none.
    let read: (String) -> String?

    /// The control groups of this process.
    static var current: ControlGroups {
        ControlGroups(text: contents("/proc/self/cgroup") ?? "", read: contents)
    }

    /// The folders that may limit what a controller controls: those of the process's groups, and of the groups around
    /// them.
    /// - Returns: Each with the version of control groups that it belongs to.
    func folders(_ controller: String) -> [(path: String, isFirstVersion: Bool)] {
        text.split(separator: "\n").flatMap { line -> [(path: String, isFirstVersion: Bool)] in
            // `hierarchy:controllers:path`; version 2 has one line, with an empty list of controllers.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            let isFirst = parts[1].split(separator: ",").contains { $0 == controller }
            guard isFirst || parts[1].isEmpty else { return [] }
            let root = isFirst ? "/sys/fs/cgroup/" + controller : "/sys/fs/cgroup"
            let names = parts[2].split(separator: "/")
            // In a container the path may be one that only exists outside; then the container's own root has the limit.
            return (0...names.count).map { (names.prefix($0).reduce(root) { $0 + "/" + $1 }, isFirst) }
        }
    }

    /// The words of a short file.
    func words(_ path: String) -> [Substring] {
        read(path)?.split { $0 == " " || $0 == "\n" } ?? []
    }

    /// The text of a short file.
    private static func contents(_ path: String) -> String? {
        SmallFile.bytes(of: path, atMost: 16_384).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The memory that the process may use: the machine's, or less if its control group says so, as in a container.
enum UsableMemory {
    /// The size in bytes.
    static var size: Int {
        let machine = sysconf(Int32(_SC_PHYS_PAGES)).multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE)))
        return limit(of: .current, machine: machine.overflow ? .max : machine.partialValue)
    }

    /// The smallest of the machine's memory and the limits of control groups.
    static func limit(of groups: ControlGroups, machine: Int) -> Int {
        groups.folders("memory").reduce(machine) { least, folder in
            let file = folder.isFirstVersion ? "/memory.limit_in_bytes" : "/memory.max"
            // `max` is no number.
            let limit = groups.words(folder.path + file).first.flatMap { Int($0) } ?? 0
            return limit > 0 ? min(least, limit) : least
        }
    }
}

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
