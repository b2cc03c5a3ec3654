import Glibc

/// The system's figures about this process, by the names of Prometheus's own client libraries.
struct ProcessFigures {
    private var cpuSeconds = 0.0
    private var startTime = 0.0
    private var threads = 0
    private var virtualBytes = 0
    private var residentBytes = 0
    private var openDescriptors = 0
    private var maximumDescriptors = 0.0

    /// The figures of now; nil where there is no `/proc`.
    static var now: ProcessFigures? {
        guard let stat = SmallFile.bytes(of: "/proc/self/stat", atMost: 4096),
            let end = stat.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        // From the third field on (proc_pid_stat(5)); the second may contain anything.
        let fields = stat[end...].dropFirst(2).split(separator: UInt8(ascii: " "))
            .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
        guard fields.count > 21 else { return nil }
        var figures = ProcessFigures()
        figures.cpuSeconds = seconds(CLOCK_PROCESS_CPUTIME_ID)
        figures.startTime = bootTime + Double(fields[19]) / Double(sysconf(Int32(_SC_CLK_TCK)))
        figures.threads = fields[17]
        figures.virtualBytes = fields[20]
        figures.residentBytes = fields[21] * sysconf(Int32(_SC_PAGESIZE))
        figures.openDescriptors = entries("/proc/self/fd")
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        figures.maximumDescriptors = limit.rlim_cur == rlim_t.max ? .infinity : Double(limit.rlim_cur)
        return figures
    }

    /// The figures with their names and types.
    var list: [(name: String, kind: MetricFamily.Kind, value: Double)] {
        [
            ("process_cpu_seconds_total", .counter, cpuSeconds),
            ("process_max_fds", .gauge, maximumDescriptors),
            ("process_open_fds", .gauge, Double(openDescriptors)),
            ("process_resident_memory_bytes", .gauge, Double(residentBytes)),
            ("process_start_time_seconds", .gauge, startTime),
            ("process_threads", .gauge, Double(threads)),
            ("process_virtual_memory_bytes", .gauge, Double(virtualBytes)),
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
