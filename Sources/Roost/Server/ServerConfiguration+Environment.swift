import Glibc

extension ServerConfiguration {
    /// The defaults, changed by the environment variables that the properties name.
    /// - Throws: ``StartError/configuration(_:)`` with a sentence for each invalid value.
    public init(environment: [String: String]) throws(StartError) {
        var reader = SettingsReader(environment)
        self.init(reading: &reader)
        try reader.check()
    }

    /// The defaults, changed by the environment variables that the properties name; the reader notes invalid values.
    public init(reading reader: inout SettingsReader) {
        self.init()
        host = reader.read(Setting("HOST", default: host))
        do throws(StartError) { _ = try unixAddress() } catch { reader.addError(error.description) }
        socketMode = reader.read(Self.mode)
        adminHost = reader.read(Setting("ADMIN_HOST", default: adminHost))
        for setting in Self.settings { setting.read(&reader, into: &self) }
        hasSharedListener = reader.read(.zeroOrOne("SHARED_LISTENER", default: hasSharedListener))
        trustedProxies = reader.read(Self.proxies)
        // The process id tells whom the sockets are for: a child process inherits the variables too.
        if reader.variables["LISTEN_PID"] == String(getpid()) { Self.inherited.read(&reader, into: &self) }
    }

    private static let mode = Setting(
        "SOCKET_MODE", default: 0o660, expectation: "an octal number from 0 to 777, such as 660",
        write: { String($0, radix: 8) }, read: { Int($0, radix: 8).flatMap { (0...0o777).contains($0) ? $0 : nil } })

    private static let proxies = Setting<TrustedProxies>(
        "TRUSTED_PROXIES", default: .none,
        expectation: "networks such as 10.0.0.0/8 or ::1, loopback or local, separated by commas",
        write: { _ in "" }, read: { TrustedProxies($0) })

    /// Checks what the program has set.
    /// - Throws: ``StartError/configuration(_:)`` for the first value that is out of its range.
    func validate() throws(StartError) {
        for setting in Self.settings + [Self.inherited] { try setting.validate(self) }
    }

    /// The address of the Unix socket that ``host`` names; nil if it names none.
    /// - Throws: ``StartError/configuration(_:)`` for a path that cannot be one.
    func unixAddress() throws(StartError) -> SocketAddress? {
        guard isOnUnixSocket else { return nil }
        guard let address = SocketAddress(path: String(host.dropFirst("unix:".count))) else {
            throw .configuration(
                "HOST is \"\(host)\"; write the whole path, from / on and of at most 107 bytes, as in "
                    + "unix:/run/roost/site.sock.")
        }
        return address
    }

    /// Whether ``host`` names a Unix socket.
    package var isOnUnixSocket: Bool { host.utf8.starts(with: "unix:".utf8) }

    /// Sentences about what is dangerous, or will hardly be meant, for the log of a start.
    package var warnings: [String] {
        var warnings: [String] = []
        if isOnUnixSocket, inheritedSockets == 0, !trustedProxies.contain(PeerAddress.local) {
            warnings.append(
                "HOST is a Unix socket, but TRUSTED_PROXIES has no local: all visitors look like one, over HTTP.")
        }
        for network in trustedProxies.openNetworks {
            warnings.append("TRUSTED_PROXIES has \(network): nearly everybody may claim any address and HTTPS.")
        }
        if adminPort != nil, ["0.0.0.0", "::"].contains(adminHost) {
            warnings.append(
                "ADMIN_HOST is \(adminHost): everybody who reaches this machine may read /metrics. Set it to one "
                    + "address, or let a firewall keep others out.")
        }
        return warnings
    }

    /// What environment variables can set, apart from `HOST`, `SOCKET_MODE`, `ADMIN_HOST`, `SHARED_LISTENER` and
    /// `TRUSTED_PROXIES`.
    /// The sizes of a head stay far below 4 GiB, which is as far as places in received bytes can count.
    static let settings = [
        ServerSetting(variable: "PORT", property: .number(\.port), range: 0...65_535),
        ServerSetting(
            variable: "ADMIN_PORT", property: .optionalNumber(\.adminPort, word: "none"), range: 0...65_535),
        ServerSetting(variable: "WORKERS", property: .number(\.workers), range: 1...1024),
        size("MAX_REQUEST_LINE_SIZE", .number(\.maximumRequestLineSize), 64...1_048_576),
        size("MAX_HEADER_SIZE", .number(\.maximumHeaderSize), 64...16_777_216),
        ServerSetting(variable: "MAX_HEADER_COUNT", property: .number(\.maximumHeaderCount), range: 1...100_000),
        size("MAX_BODY_SIZE", .number(\.maximumBodySize), 0...1 << 40),
        size("MAX_FORM_SIZE", .number(\.maximumFormSize), 0...1 << 40),
        size("MAX_BUFFERED_SIZE", .optionalNumber(\.maximumBufferedSize, word: "auto"), 1...1 << 50),
        ServerSetting(
            variable: "MAX_CONNECTIONS",
            property: .optionalNumber(\.maximumConnections, word: "auto"),
            range: 1...1 << 20
        ),
        time("HEAD_TIMEOUT", .time(\.headTimeout)),
        time("BODY_TIMEOUT", .time(\.bodyTimeout)),
        size("MIN_BODY_RATE", .number(\.minimumBodyRate), 0...1 << 30),
        time("IDLE_TIMEOUT", .time(\.idleTimeout)),
        time("SEND_TIMEOUT", .time(\.sendTimeout)),
        size("MIN_SEND_RATE", .number(\.minimumSendRate), 0...1 << 30),
        time("UNREACHABLE_TIMEOUT", .optionalTime(\.unreachableTimeout, word: "none"), 6...86_400),
        time("HANDLER_TIMEOUT", .optionalTime(\.handlerTimeout, word: "none")),
        time("MAX_CONNECTION_AGE", .optionalTime(\.maximumConnectionAge, word: "none"), 1...31_536_000),
        ServerSetting(
            variable: "MAX_CONNECTION_REQUESTS",
            property: .optionalNumber(\.maximumRequestsPerConnection, word: "none"),
            range: 1...2_147_483_647
        ),
        time("LINGER_TIMEOUT", .time(\.lingerTimeout)),
        time("DRAIN_DELAY", .time(\.drainDelay), 0...3_600),
        time("DRAIN_TIMEOUT", .time(\.drainTimeout), 0...86_400),
        time("EVENT_HEARTBEAT", .time(\.eventHeartbeat)),
        ServerSetting(variable: "MAX_EVENT_STREAMS", property: .number(\.maximumEventStreams), range: 0...1 << 20),
        ServerSetting(
            variable: "MAX_EVENT_STREAMS_PER_ADDRESS",
            property: .number(\.maximumEventStreamsPerAddress),
            range: 0...1 << 20
        ),
        ServerSetting(variable: "MAX_WEBSOCKETS", property: .number(\.maximumWebSockets), range: 0...1 << 20),
        ServerSetting(
            variable: "MAX_WEBSOCKETS_PER_ADDRESS",
            property: .number(\.maximumWebSocketsPerAddress),
            range: 0...1 << 20
        ),
        ServerSetting(variable: "OFFLOAD_THREADS", property: .number(\.offloadThreads), range: 1...1024),
        ServerSetting(variable: "MAX_OFFLOAD_QUEUE", property: .number(\.maximumOffloadQueue), range: 0...1_000_000),
        ServerSetting(
            variable: "BLOCKED_LOOP_MS",
            property: .optionalTime(\.blockedLoopThreshold, word: "none"),
            range: 1...3_600_000,
            unit: .milliseconds
        ),
    ]

    private static let inherited = ServerSetting(
        variable: "LISTEN_FDS", property: .number(\.inheritedSockets), range: 0...1024)

    private static func size(
        _ variable: String,
        _ property: ServerSetting.Property,
        _ range: ClosedRange<Int>
    ) -> ServerSetting {
        ServerSetting(variable: variable, property: property, range: range, unit: .bytes)
    }

    private static func time(
        _ variable: String,
        _ property: ServerSetting.Property,
        _ range: ClosedRange<Int> = 1...86_400
    ) -> ServerSetting {
        ServerSetting(variable: variable, property: property, range: range, unit: .seconds)
    }
}
