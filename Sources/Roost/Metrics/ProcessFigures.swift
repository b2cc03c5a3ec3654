import Glibc

/// The system's figures about this process, by the names of Prometheus's own client libraries.
enum ProcessFigures {
    /// The figures of now with their names and types; none where there is no `/proc`.
    static var now: [(name: String, kind: MetricFamily.Kind, value: Double)] {
        guard let stat = SmallFile.bytes(of: "/proc/self/stat", atMost: 4096),
            let end = stat.lastIndex(of: UInt8(ascii: ")"))
        else { return [] }
        // From the third field on (proc_pid_stat(5)); the second may contain anything.
        let fields = stat[end...].dropFirst(2).split(separator: UInt8(ascii: " "))
            .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
        guard fields.count > 21 else { return [] }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return [
            ("process_cpu_seconds_total", .counter, seconds(CLOCK_PROCESS_CPUTIME_ID)),
            ("process_max_fds", .gauge, limit.rlim_cur == rlim_t.max ? .infinity : Double(limit.rlim_cur)),
            ("process_open_fds", .gauge, Double(entries("/proc/self/fd"))),
            ("process_resident_memory_bytes", .gauge, Double(fields[21] * sysconf(Int32(_SC_PAGESIZE)))),
            ("process_start_time_seconds", .gauge, bootTime + Double(fields[19]) / Double(sysconf(Int32(_SC_CLK_TCK)))),
            ("process_threads", .gauge, Double(fields[17])),
            ("process_virtual_memory_bytes", .gauge, Double(fields[20])),
        ]
    }

    /// The time at which the system was started. It is looked at once: each look differs by what passes between two
    /// clocks.
    private static let bootTime = (seconds(CLOCK_REALTIME) - seconds(CLOCK_BOOTTIME)).rounded()

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns the number of entries in a folder, without that of the folder that is read.
    private static func entries(_ path: String) -> Int {
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return max(0, count - 3)
    }
}
