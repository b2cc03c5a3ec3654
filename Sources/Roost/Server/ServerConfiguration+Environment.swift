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
        if Environment.isOnInternet(reader.variables) { (host, port) = (Self.everywhere, 80) }
        for setting in Self.settings { setting.read(&reader, into: &self) }
        do throws(StartError) { _ = try unixAddress() } catch { reader.addError(error.description) }
        // The process id tells whom the sockets are for: a child process inherits the variables too.
        if reader.variables["LISTEN_PID"] == String(getpid()) { Self.inherited.read(&reader, into: &self) }
        if isAdminPortTaken { reader.addError("ADMIN_PORT is \(port), as PORT is; set one of them to another number.") }
    }

    /// Whether the two listeners would be at one address.
    private var isAdminPortTaken: Bool {
        guard let adminPort, adminPort == port, port > 0, !isOnUnixSocket, inheritedSockets == 0 else { return false }
        if host == adminHost || host == "::" || adminHost == "::" { return true }
        return (host == "0.0.0.0" || adminHost == "0.0.0.0") && !(host + adminHost).utf8.contains(UInt8(ascii: ":"))
    }

    /// All addresses of this machine: of both versions, if it has version 6.
    private static let everywhere: String = {
        let socket = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return "0.0.0.0" }
        close(socket)
        return "::"
    }()

    /// Checks what the program has set.
    /// - Throws: ``StartError/configuration(_:)`` for the first value that is out of its range.
    package func validate() throws(StartError) {
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

    /// Whether this machine alone reaches the sockets that the program was started with, or else ``host``.
    package var isOnThisMachine: Bool {
        inheritedSockets > 0 ? ListeningSocket.areOnThisMachine(inheritedSockets) : isHostOnThisMachine
    }

    /// Whether ``host`` is a Unix socket, or an address or a name of this machine alone. TLS listens there,
    /// unless the program was started with a socket for it.
    package var isHostOnThisMachine: Bool {
        isOnUnixSocket || (IPAddress(host)?.isLoopback ?? Request.isLoopback(host.utf8[...]))
    }

    /// The sentence about a site in development that others may see; nil for any other.
    func developmentWarning(at publicURL: PublicURL?) -> String? {
        guard !isForOthers(at: publicURL) else {
            return "PUBLIC_URL or TRUSTED_PROXIES says that others see this site, but it runs in development: set "
                + "ROOST_ENV=production."
        }
        return isOnThisMachine ? nil : Self.openWarning
    }

    static let openWarning =
        "A development server is open to the network: set HOST=127.0.0.1, or ROOST_ENV=production."

    /// Whether settings say that others see the site: a `PUBLIC_URL` of another host than this machine's own, or
    /// proxies that are trusted.
    package func isForOthers(at publicURL: PublicURL?) -> Bool {
        trustedProxies != .none || !(publicURL.map { Request.isLoopback($0.authority.utf8[...]) } ?? true)
    }

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
        let largest = memoryBudget.largest
        if maximumBodySize > largest {
            warnings.append(
                "MAX_BODY_SIZE is \(maximumBodySize), but a body of more than \(largest) bytes, half of "
                    + "MAX_BUFFERED_SIZE, gets 413: raise MAX_BUFFERED_SIZE.")
        }
        return warnings
    }

    /// The settings that come from environment variables, apart from `LISTEN_FDS`. The sizes of a head stay far below 4
    /// GiB, which is as far as places in received bytes can count.
    static let settings: [PropertySetting<ServerConfiguration>] = [
        property(\.host) { Setting("HOST", default: $0) },
        number("PORT", \.port, 0...65_535),
        property(\.socketMode) { octal("SOCKET_MODE", $0) },
        property(\.adminHost) { Setting("ADMIN_HOST", default: $0) },
        number("ADMIN_PORT", \.adminPort, or: "none", 0...65_535),
        number("WORKERS", \.workers, 1...1024),
        property(\.hasSharedListener) { .zeroOrOne("SHARED_LISTENER", default: $0) },
        property(\.trustedProxies) { proxies("TRUSTED_PROXIES", $0) },
        number("MAX_REQUEST_LINE_SIZE", \.maximumRequestLineSize, 64...1_048_576, of: .bytes),
        number("MAX_HEADER_SIZE", \.maximumHeaderSize, 64...16_777_216, of: .bytes),
        number("MAX_HEADER_COUNT", \.maximumHeaderCount, 1...100_000),
        number("MAX_BODY_SIZE", \.maximumBodySize, 0...1 << 40, of: .bytes),
        number("MAX_FORM_SIZE", \.maximumFormSize, 0...1 << 40, of: .bytes),
        number("MAX_BUFFERED_SIZE", \.maximumBufferedSize, or: "auto", 1...1 << 50, of: .bytes),
        number("MAX_CONNECTIONS", \.maximumConnections, or: "auto", 1...1 << 20),
        time("HEAD_TIMEOUT", \.headTimeout),
        time("BODY_TIMEOUT", \.bodyTimeout),
        number("MIN_BODY_RATE", \.minimumBodyRate, 0...1 << 30, of: .bytes),
        time("IDLE_TIMEOUT", \.idleTimeout),
        time("SEND_TIMEOUT", \.sendTimeout),
        number("MIN_SEND_RATE", \.minimumSendRate, 0...1 << 30, of: .bytes),
        time("UNREACHABLE_TIMEOUT", \.unreachableTimeout, or: "none", 6...86_400),
        time("HANDLER_TIMEOUT", \.handlerTimeout, or: "none"),
        time("MAX_CONNECTION_AGE", \.maximumConnectionAge, or: "none", 1...31_536_000),
        number("MAX_CONNECTION_REQUESTS", \.maximumRequestsPerConnection, or: "none", 1...2_147_483_647),
        time("LINGER_TIMEOUT", \.lingerTimeout),
        time("DRAIN_DELAY", \.drainDelay, 0...3_600),
        time("DRAIN_TIMEOUT", \.drainTimeout, 0...86_400),
        time("EVENT_HEARTBEAT", \.eventHeartbeat),
        number("MAX_EVENT_STREAMS", \.maximumEventStreams, 0...1 << 20),
        number("MAX_EVENT_STREAMS_PER_ADDRESS", \.maximumEventStreamsPerAddress, 0...1 << 20),
        number("MAX_WEBSOCKETS", \.maximumWebSockets, 0...1 << 20),
        number("MAX_WEBSOCKETS_PER_ADDRESS", \.maximumWebSocketsPerAddress, 0...1 << 20),
        number("OFFLOAD_THREADS", \.offloadThreads, 1...1024),
        number("MAX_OFFLOAD_QUEUE", \.maximumOffloadQueue, 0...1_000_000),
        time("BLOCKED_LOOP_MS", \.blockedLoopThreshold, or: "none", 1...3_600_000, .milliseconds),
    ]

    private static let inherited = number("LISTEN_FDS", \.inheritedSockets, 0...1024)
}

/// The functions that the table above is written with.
extension ServerConfiguration {
    private static let defaults = ServerConfiguration()

    private static func property<Value: Sendable>(
        _ path: any WritableKeyPath<ServerConfiguration, Value> & Sendable,
        _ setting: @escaping @Sendable (Value) -> Setting<Value>
    ) -> PropertySetting<ServerConfiguration> {
        PropertySetting(path, of: defaults, setting)
    }

    private static func number(
        _ name: String, _ path: any WritableKeyPath<ServerConfiguration, Int> & Sendable,
        _ range: ClosedRange<Int>, of unit: WholeNumbers.Unit = .things
    ) -> PropertySetting<ServerConfiguration> {
        property(path) { Setting(name, default: $0, WholeNumbers(range, of: unit)) }
    }

    private static func number(
        _ name: String, _ path: any WritableKeyPath<ServerConfiguration, Int?> & Sendable, or word: String,
        _ range: ClosedRange<Int>, of unit: WholeNumbers.Unit = .things
    ) -> PropertySetting<ServerConfiguration> {
        property(path) { Setting<Int>(name, default: 0, WholeNumbers(range, of: unit)).or(word, default: $0) }
    }

    private static func time(
        _ name: String, _ path: any WritableKeyPath<ServerConfiguration, Duration> & Sendable,
        _ range: ClosedRange<Int> = 1...86_400
    ) -> PropertySetting<ServerConfiguration> {
        property(path) { Setting(name, default: $0, WholeNumbers(range, of: .seconds)) }
    }

    private static func time(
        _ name: String, _ path: any WritableKeyPath<ServerConfiguration, Duration?> & Sendable, or word: String,
        _ range: ClosedRange<Int> = 1...86_400, _ unit: WholeNumbers.Unit = .seconds
    ) -> PropertySetting<ServerConfiguration> {
        property(path) { Setting<Duration>(name, default: .zero, WholeNumbers(range, of: unit)).or(word, default: $0) }
    }

    private static func octal(_ name: String, _ value: Int) -> Setting<Int> {
        var setting = Setting(
            name, default: value, expectation: "an octal number from 0 to 777, such as 660",
            write: { String($0, radix: 8) }, read: { Int($0, radix: 8).flatMap { modes.contains($0) ? $0 : nil } })
        setting.accepts = { modes.contains($0) }
        return setting
    }

    private static let modes = 0...0o777

    private static func proxies(_ name: String, _ value: TrustedProxies) -> Setting<TrustedProxies> {
        Setting(
            name, default: value,
            expectation: "networks such as 10.0.0.0/8 or ::1, loopback or local, separated by commas",
            write: { _ in "" }, read: { TrustedProxies($0) })
    }
}
