import Glibc

/// The control groups that the process is in, which limit what it may use, as in a container (`cgroups(7)`).
struct ControlGroups {
    /// The lines of `/proc/self/cgroup`.
    let text: String
    /// The text of a file; nil if there is none.
    let read: (String) -> String?

    /// Those of this process.
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
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 16_384) { $1 = fread($0.baseAddress, 1, 16_384, file) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
