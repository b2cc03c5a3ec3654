import Glibc
import Testing

@testable import Roost

@Suite("The configuration of the server", .timeLimit(.minutes(5)))
struct ServerConfigurationTests {
    @Test func `the defaults are those of the design`() {
        let configuration = ServerConfiguration()
        #expect(configuration.maximumRequestLineSize == 8 * 1024)
        #expect(configuration.maximumHeaderSize == 32 * 1024)
        #expect(configuration.maximumHeaderCount == 100)
        #expect(configuration.maximumBodySize == 1024 * 1024)
        #expect(configuration.headTimeout == .seconds(10))
        #expect(configuration.bodyTimeout == .seconds(30))
        #expect(configuration.idleTimeout == .seconds(60))
        #expect(configuration.sendTimeout == .seconds(30))
        #expect(configuration.drainTimeout == .seconds(30))
        #expect(configuration.blockedLoopThreshold == .milliseconds(100))
        #expect(configuration.unreachableTimeout == .seconds(60))
        #expect(configuration.handlerTimeout == nil)
        #expect(configuration.maximumConnectionAge == .seconds(3600))
        #expect(configuration.maximumRequestsPerConnection == nil)
    }

    /// Those that take whole numbers, with the ends of their ranges.
    private static let numbers = ServerConfiguration.settings.compactMap { setting -> (String, Int, Int)? in
        let words = setting.expectation.split(separator: " ")
        guard setting.expectation.contains("a whole number"), words.count > 3, let last = Int(words[words.count - 1]),
            let first = Int(words[words.count - 3])
        else { return nil }
        return (setting.name, first, last)
    }

    private static func setting(_ name: String) throws -> PropertySetting<ServerConfiguration> {
        try #require(ServerConfiguration.settings.first { $0.name == name })
    }

    @Test func `most settings are whole numbers`() {
        #expect(Self.numbers.count == ServerConfiguration.settings.count - 5)
    }

    @Test(arguments: numbers)
    func `a variable sets its property, to both ends of its range`(variable: String, least: Int, most: Int) throws {
        let setting = try Self.setting(variable)
        for value in [least, most] {
            let configuration = try ServerConfiguration(environment: [variable: String(value)])
            #expect(setting.text(in: configuration) == String(value))
            #expect(throws: Never.self) { try configuration.validate() }
        }
    }

    @Test func `times are in seconds, and in milliseconds where the name says so`() throws {
        let configuration = try ServerConfiguration(environment: ["HEAD_TIMEOUT": "2", "BLOCKED_LOOP_MS": "250"])
        #expect(configuration.headTimeout == .seconds(2))
        #expect(configuration.blockedLoopThreshold == .milliseconds(250))
    }

    @Test(arguments: numbers)
    func `an invalid value is one sentence`(variable: String, least: Int, most: Int) {
        let values = ["many", "1 KB", "-1", "1.5", " 1", "None", "99999999999999999999", String(most + 1)]
        for value in values {
            let error = #expect(throws: StartError.self) {
                try ServerConfiguration(environment: [variable: value])
            }
            let sentence = error?.description ?? ""
            #expect(error?.exitCode == 78)
            #expect(sentence.hasPrefix("\(variable) is \"\(value)\"; set it to "))
            #expect(sentence.contains("a whole number"))
            #expect(sentence.hasSuffix("from \(least) to \(most)."))
        }
    }

    @Test(arguments: [
        Duration.seconds(Int64.max), .seconds(Int64.min), .seconds(-1), .seconds(86_401),
        Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
    ])
    func `a time that no clock can count is one sentence, too`(time: Duration) {
        var configuration = ServerConfiguration()
        configuration.drainTimeout = time
        let error = #expect(throws: StartError.self) { try configuration.validate() }
        #expect(error?.description.hasPrefix("DRAIN_TIMEOUT is \"") == true)
        #expect(time.wholeSeconds >= time.components.seconds)
    }

    @Test(arguments: [
        ("UNREACHABLE_TIMEOUT", "none"), ("HANDLER_TIMEOUT", "none"), ("MAX_CONNECTION_AGE", "none"),
        ("MAX_CONNECTION_REQUESTS", "none"), ("BLOCKED_LOOP_MS", "none"), ("MAX_BUFFERED_SIZE", "auto"),
        ("MAX_CONNECTIONS", "auto"),
    ])
    func `a variable can have a word, and 0 is none`(variable: String, word: String) throws {
        let configuration = try ServerConfiguration(environment: [variable: word])
        #expect(try Self.setting(variable).text(in: configuration) == word)
        #expect(throws: Never.self) { try configuration.validate() }
        let error = #expect(throws: StartError.self) { try ServerConfiguration(environment: [variable: "0"]) }
        #expect(error?.description.hasPrefix("\(variable) is \"0\"; set it to \(word) or to a whole number") == true)
    }

    @Test func `an empty value counts as unset`() throws {
        let variables = Dictionary(uniqueKeysWithValues: ServerConfiguration.settings.map { ($0.name, "") })
        let configuration = try ServerConfiguration(environment: variables)
        #expect(configuration.maximumBodySize == ServerConfiguration().maximumBodySize)
        #expect(configuration.host == "127.0.0.1")
    }

    @Test func `one socket for all loops is 0 or 1`() throws {
        #expect(try ServerConfiguration(environment: ["SHARED_LISTENER": "1"]).hasSharedListener)
        #expect(try !ServerConfiguration(environment: ["SHARED_LISTENER": "0"]).hasSharedListener)
        let error = #expect(throws: StartError.self) {
            try ServerConfiguration(environment: ["SHARED_LISTENER": "yes"])
        }
        #expect(error?.description == "SHARED_LISTENER is \"yes\"; set it to 0 or 1.")
    }

    @Test func `trusted proxies are networks, and nobody by default`() throws {
        #expect(ServerConfiguration().trustedProxies == .none)
        let proxies = try ServerConfiguration(environment: ["TRUSTED_PROXIES": "10.0.0.0/8, ::1,local"]).trustedProxies
        #expect(proxies.contain(PeerAddress.local))
        #expect(try proxies.contain(#require(IPAddress("10.1.2.3"))) && proxies.contain(#require(IPAddress("::1"))))
        #expect(try !proxies.contain(#require(IPAddress("11.1.2.3"))) && !proxies.contain(PeerAddress.loopback))
        #expect(try TrustedProxies("loopback")?.contain(#require(IPAddress("127.8.0.1"))) == true)
        let error = #expect(throws: StartError.self) {
            try ServerConfiguration(environment: ["TRUSTED_PROXIES": "10.0.0.1/8"])
        }
        #expect(error?.description.hasPrefix("TRUSTED_PROXIES is \"10.0.0.1/8\"; set it to networks such as") == true)
    }

    @Test(arguments: [
        (["TRUSTED_PROXIES": "0.0.0.0/0"], "TRUSTED_PROXIES has 0.0.0.0/0"),
        (["TRUSTED_PROXIES": "10.0.0.0/8,::/0"], "TRUSTED_PROXIES has ::/0"),
        (["TRUSTED_PROXIES": "128.0.0.0/1"], "TRUSTED_PROXIES has 128.0.0.0/1"),
        (["ADMIN_PORT": "9100", "ADMIN_HOST": "0.0.0.0"], "ADMIN_HOST is 0.0.0.0"),
        (["ADMIN_PORT": "9100", "ADMIN_HOST": "::"], "ADMIN_HOST is ::"),
        (["HOST": "unix:/run/a.sock"], "HOST is a Unix socket, but TRUSTED_PROXIES has no local"),
    ])
    func `what is dangerous is a warning`(variables: [String: String], beginning: String) throws {
        let warnings = try ServerConfiguration(environment: variables).warnings
        #expect(warnings.count == 1 && warnings.first?.hasPrefix(beginning) == true, "\(warnings)")
    }

    @Test(arguments: [
        [:], ["TRUSTED_PROXIES": "10.0.0.0/8,172.16.0.0/12,fc00::/7,loopback"], ["ADMIN_HOST": "0.0.0.0"],
        ["ADMIN_PORT": "9100"], ["HOST": "unix:/run/a.sock", "TRUSTED_PROXIES": "local"], ["HOST": "0.0.0.0"],
    ])
    func `what is usual is not`(variables: [String: String]) throws {
        #expect(try ServerConfiguration(environment: variables).warnings == [])
    }

    @Test(arguments: [[:], ["HOST": "0.0.0.0"], ["HOST": "10.0.0.1", "ADMIN_HOST": "::"]] as [[String: String]])
    func `the metrics cannot be at the site's own address`(hosts: [String: String]) {
        let error = #expect(throws: StartError.self) {
            try ServerConfiguration(environment: hosts.merging(["ADMIN_PORT": "3000"]) { first, _ in first })
        }
        #expect(error?.description == "ADMIN_PORT is 3000, as PORT is; set one of them to another number.")
    }

    @Test(arguments: [
        ["PORT": "0", "ADMIN_PORT": "0"], ["HOST": "10.0.0.1", "ADMIN_PORT": "3000"],
        ["HOST": "unix:/run/a.sock", "ADMIN_PORT": "3000"],
        ["LISTEN_FDS": "1", "LISTEN_PID": "\(getpid())", "ADMIN_PORT": "3000"],
    ])
    func `one number is no mistake where the addresses differ`(variables: [String: String]) {
        #expect(throws: Never.self) { try ServerConfiguration(environment: variables) }
    }

    @Test func `sockets are inherited only by the process that they are meant for`() throws {
        let mine = ["LISTEN_FDS": "2", "LISTEN_PID": "\(getpid())"]
        #expect(try ServerConfiguration(environment: mine).inheritedSockets == 2)
        #expect(try ServerConfiguration(environment: ["LISTEN_FDS": "2", "LISTEN_PID": "1"]).inheritedSockets == 0)
        #expect(try ServerConfiguration(environment: ["LISTEN_FDS": "2"]).inheritedSockets == 0)
    }

    @Test func `a number that the program has set out of its range stops the start`() async {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.headTimeout = .seconds(0)
        let application = try? Application(configuration: configuration) { _ in }
        let error = await #expect(throws: StartError.self) {
            guard let application else { return }
            _ = try await Server.listen(configuration, application, logger: application.logger)
        }
        #expect(error?.description == "HEAD_TIMEOUT is \"0\"; set it to a whole number of seconds from 1 to 86400.")
    }

    @Test func `so do permissions that a variable could not have`() {
        var configuration = ServerConfiguration()
        configuration.socketMode = 0o1777
        let error = #expect(throws: StartError.self) { try configuration.validate() }
        #expect(error?.description == "SOCKET_MODE is \"1777\"; set it to an octal number from 0 to 777, such as 660.")
    }

    @Test func `a part of a second counts as a whole one, and errors show the exact time`() {
        var configuration = ServerConfiguration()
        configuration.headTimeout = .milliseconds(1500)
        #expect(throws: Never.self) { try configuration.validate() }
        #expect(configuration.connectionLimits.headTimeout == 2)
        configuration.headTimeout = .milliseconds(500)
        let error = #expect(throws: StartError.self) { try configuration.validate() }
        #expect(error?.description.hasPrefix("HEAD_TIMEOUT is \"0.5 seconds\"; set it to") == true)
    }

    @Test(arguments: ServerConfiguration.settings.map(\.name))
    func `the example file has every variable with its default`(name: String) throws {
        let setting = try Self.setting(name)
        let value = try #require(Readme.exampleVariables[name])
        // Two depend on the machine, and one shows how it is written.
        if ["WORKERS", "OFFLOAD_THREADS", "TRUSTED_PROXIES"].contains(name) { return }
        #expect(value == setting.text(in: ServerConfiguration()))
    }
}
