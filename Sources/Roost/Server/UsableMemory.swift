import Glibc

/// How much memory the process may use: the machine's, or less if its control group says so, as in a container.
enum UsableMemory {
    /// The size in bytes.
    static var size: Int {
        let machine = sysconf(Int32(_SC_PHYS_PAGES)).multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE)))
        let groups = text("/proc/self/cgroup") ?? ""
        return limit(of: groups, machine: machine.overflow ? .max : machine.partialValue, text)
    }

    /// The smallest of the machine's memory and the limits of the groups that the process is in (`cgroups(7)`),
    /// including the groups around them.
    /// - Parameters:
    ///   - groups: The lines of `/proc/self/cgroup`.
    ///   - read: The text of a file.
    static func limit(of groups: String, machine: Int, _ read: (String) -> String?) -> Int {
        var least = machine
        for line in groups.split(separator: "\n") {
            // `hierarchy:controllers:path`; version 2 has one line, with an empty list of controllers.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isFirst = parts[1].split(separator: ",").contains("memory")
            guard isFirst || parts[1].isEmpty else { continue }
            let root = isFirst ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup"
            let file = isFirst ? "memory.limit_in_bytes" : "memory.max"
            var names = parts[2].split(separator: "/")
            // In a container the path may be one that only exists outside; then the container's own root has the limit.
            while true {
                let folder = names.reduce(root) { $0 + "/" + $1 }
                if let text = read(folder + "/" + file), let limit = number(in: text) { least = min(least, limit) }
                if names.popLast() == nil { break }
            }
        }
        return least
    }

    /// The number; nil for `max`.
    private static func number(in text: String) -> Int? {
        text.split(separator: "\n").first.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The text of a short file.
    private static func text(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 16_384) { $1 = fread($0.baseAddress, 1, 16_384, file) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
