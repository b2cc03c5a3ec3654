import Glibc

extension ServerConfiguration {
    /// The defaults, changed by the environment variables that the properties name.
    /// - Throws: ``StartError`` for an invalid value.
    public init(environment: [String: String]) throws(StartError) {
        self.init()
        if let host = environment["HOST"], !host.isEmpty { self.host = host }
        for setting in Self.settings {
            guard let text = environment[setting.variable], !text.isEmpty else { continue }
            self[keyPath: setting.property] = try setting.value(text)
        }
        for setting in Self.optionalSettings {
            guard let text = environment[setting.variable], !text.isEmpty else { continue }
            self[keyPath: setting.property] = try setting.value(text)
        }
        if let text = environment["SHARED_LISTENER"], !text.isEmpty {
            guard let isShared = ["0": false, "1": true][text] else {
                throw StartError.configuration("SHARED_LISTENER is \"\(text)\"; set it to 0 or 1.")
            }
            hasSharedListener = isShared
        }
        // The process id tells whom the sockets are for: a child process inherits the variables too.
        if environment["LISTEN_PID"] == String(getpid()), let text = environment["LISTEN_FDS"], !text.isEmpty {
            inheritedSockets = try Self.inherited.value(text)
        }
    }

    /// Checks what the program has set.
    /// - Throws: ``StartError`` for the first number that is out of range.
    func validate() throws(StartError) {
        for setting in Self.settings + [Self.inherited] {
            _ = try setting.value(String(self[keyPath: setting.property]))
        }
        for setting in Self.optionalSettings {
            if let number = self[keyPath: setting.property] { _ = try setting.value(String(number)) }
        }
    }

    /// A whole number that can be configured.
    struct Setting: Sendable {
        let variable: String
        let property: any WritableKeyPath<ServerConfiguration, Int> & Sendable
        let range: ClosedRange<Int>
        var unit = ""

        func value(_ text: String) throws(StartError) -> Int {
            guard let number = Int(text), range.contains(number) else {
                throw StartError.configuration(
                    "\(variable) is \"\(text)\"; set it to a whole number\(unit.isEmpty ? "" : " of \(unit)") "
                        + "from \(range.lowerBound) to \(range.upperBound)."
                )
            }
            return number
        }
    }

    /// A whole number that can be configured, or `none`.
    struct OptionalSetting: Sendable {
        let variable: String
        let property: any WritableKeyPath<ServerConfiguration, Int?> & Sendable
        let range: ClosedRange<Int>
        var unit = ""

        func value(_ text: String) throws(StartError) -> Int? {
            if text == "none" { return nil }
            guard let number = Int(text), range.contains(number) else {
                throw StartError.configuration(
                    "\(variable) is \"\(text)\"; set it to none or to a whole number"
                        + (unit.isEmpty ? " " : " of \(unit) ")
                        + "from \(range.lowerBound) to \(range.upperBound)."
                )
            }
            return number
        }
    }

    /// The settings that can be without a value.
    static let optionalSettings = [
        OptionalSetting(
            variable: "UNREACHABLE_TIMEOUT", property: \.unreachableTimeout, range: 6...86_400, unit: "seconds"),
        OptionalSetting(variable: "HANDLER_TIMEOUT", property: \.handlerTimeout, range: 1...86_400, unit: "seconds"),
        OptionalSetting(
            variable: "MAX_CONNECTION_AGE", property: \.maximumConnectionAge, range: 1...31_536_000, unit: "seconds"),
        OptionalSetting(
            variable: "MAX_CONNECTION_REQUESTS", property: \.maximumRequestsPerConnection, range: 1...2_147_483_647),
    ]

    /// The settings that always have a value. The sizes of a head stay far below 4 GiB, which is as far as places in
    /// received bytes can count.
    static let settings = [
        Setting(variable: "PORT", property: \.port, range: 0...65_535),
        Setting(variable: "WORKERS", property: \.workers, range: 1...1024),
        size("MAX_REQUEST_LINE_SIZE", \.maximumRequestLineSize, 64...1_048_576),
        size("MAX_HEADER_SIZE", \.maximumHeaderSize, 64...16_777_216),
        Setting(variable: "MAX_HEADER_COUNT", property: \.maximumHeaderCount, range: 1...100_000),
        size("MAX_BODY_SIZE", \.maximumBodySize, 0...1 << 40),
        size("MAX_FORM_SIZE", \.maximumFormSize, 0...1 << 40),
        size("MAX_BUFFERED_SIZE", \.maximumBufferedSize, 0...1 << 50),
        Setting(variable: "MAX_CONNECTIONS", property: \.maximumConnections, range: 0...1 << 20),
        time("HEAD_TIMEOUT", \.headTimeout),
        time("BODY_TIMEOUT", \.bodyTimeout),
        size("MIN_BODY_RATE", \.minimumBodyRate, 0...1 << 30),
        time("IDLE_TIMEOUT", \.idleTimeout),
        time("SEND_TIMEOUT", \.sendTimeout),
        size("MIN_SEND_RATE", \.minimumSendRate, 0...1 << 30),
        time("LINGER_TIMEOUT", \.lingerTimeout),
        time("DRAIN_TIMEOUT", \.drainTimeout, from: 0),
        Setting(variable: "OFFLOAD_THREADS", property: \.offloadThreads, range: 1...1024),
        Setting(variable: "MAX_OFFLOAD_QUEUE", property: \.maximumOffloadQueue, range: 0...1_000_000),
        Setting(
            variable: "BLOCKED_LOOP_MS",
            property: \.blockedLoopThreshold,
            range: 0...3_600_000,
            unit: "milliseconds"
        ),
    ]

    private static let inherited = Setting(variable: "LISTEN_FDS", property: \.inheritedSockets, range: 0...1024)

    private static func size(
        _ variable: String,
        _ property: any WritableKeyPath<ServerConfiguration, Int> & Sendable,
        _ range: ClosedRange<Int>
    ) -> Setting {
        Setting(variable: variable, property: property, range: range, unit: "bytes")
    }

    private static func time(
        _ variable: String,
        _ property: any WritableKeyPath<ServerConfiguration, Int> & Sendable,
        from least: Int = 1
    ) -> Setting {
        Setting(variable: variable, property: property, range: least...86_400, unit: "seconds")
    }
}
