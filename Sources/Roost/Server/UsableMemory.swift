import Glibc

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
