internal import CLinux

/// Where the server listens, and what it allows its clients.
public struct ServerConfiguration: Sendable {
    /// The address to listen on (`HOST`): a name or an IP address. `0.0.0.0` and `::` mean all of this machine's.
    public var host = "127.0.0.1"
    /// The TCP port to listen on (`PORT`); 0 takes a free one.
    public var port = 3000
    /// How many event loops to run (`WORKERS`), each on a thread of its own; by default one for each core.
    public var workers = ServerConfiguration.cores
    /// The largest body a handler gets, in bytes, unless its route allows more; beyond it 413.
    public var maximumBodySize = 1024 * 1024
    /// How long requests may take to finish after SIGTERM, in seconds.
    public var drainTimeout = 30

    var connection = ConnectionLimits()

    /// The defaults.
    public init() {}

    /// The defaults, changed by `HOST`, `PORT` and `WORKERS`.
    /// - Throws: ``ConfigurationError`` for a value that is none.
    public init(environment: [String: String]) throws(ConfigurationError) {
        if let host = environment["HOST"], !host.isEmpty { self.host = host }
        port = try Self.number("PORT", in: environment, 0...65_535) ?? port
        workers = try Self.number("WORKERS", in: environment, 1...1024) ?? workers
    }

    private static func number(
        _ name: String,
        in environment: [String: String],
        _ range: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int? {
        guard let text = environment[name], !text.isEmpty else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw ConfigurationError(
                "\(name) is \"\(text)\"; set it to a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    /// How many cores this process may use, which in a container can be fewer than the machine has.
    private static var cores: Int {
        var mask = [UInt64](repeating: 0, count: 16)
        guard sched_getaffinity(0, mask.count * 8, &mask) == 0 else { return 1 }
        return max(1, mask.reduce(0) { $0 + $1.nonzeroBitCount })
    }
}
