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
        #expect(configuration.headTimeout == 10)
        #expect(configuration.bodyTimeout == 30)
        #expect(configuration.idleTimeout == 60)
        #expect(configuration.sendTimeout == 30)
        #expect(configuration.drainTimeout == 30)
        #expect(configuration.blockedLoopThreshold == 100)
        #expect(configuration.unreachableTimeout == 60)
        #expect(configuration.handlerTimeout == nil)
        #expect(configuration.maximumConnectionAge == 3600)
        #expect(configuration.maximumRequestsPerConnection == nil)
    }

    @Test(arguments: ServerConfiguration.settings.map(\.variable))
    func `a variable sets its property, to both ends of its range`(variable: String) throws {
        let setting = try #require(ServerConfiguration.settings.first { $0.variable == variable })
        for value in [setting.range.lowerBound, setting.range.upperBound] {
            let configuration = try ServerConfiguration(environment: [variable: String(value)])
            #expect(configuration[keyPath: setting.property] == value)
        }
    }

    @Test(arguments: ServerConfiguration.settings.map(\.variable))
    func `an invalid value is one sentence`(variable: String) throws {
        let setting = try #require(ServerConfiguration.settings.first { $0.variable == variable })
        let values = ["many", "1 KB", "-1", "1.5", " 1", "99999999999999999999", String(setting.range.upperBound + 1)]
        for value in values {
            let error = #expect(throws: ConfigurationError.self) {
                try ServerConfiguration(environment: [variable: value])
            }
            let sentence = error?.description ?? ""
            #expect(sentence.hasPrefix("\(variable) is \"\(value)\"; set it to a whole number"))
            #expect(sentence.hasSuffix("from \(setting.range.lowerBound) to \(setting.range.upperBound)."))
        }
    }

    @Test(arguments: ServerConfiguration.optionalSettings.map(\.variable))
    func `a variable can switch a limit off, or set it to both ends of its range`(variable: String) throws {
        let setting = try #require(ServerConfiguration.optionalSettings.first { $0.variable == variable })
        for (text, value) in [
            ("none", nil), ("\(setting.range.lowerBound)", setting.range.lowerBound),
            ("\(setting.range.upperBound)", setting.range.upperBound),
        ] {
            let configuration = try ServerConfiguration(environment: [variable: text])
            #expect(configuration[keyPath: setting.property] == value)
        }
        for value in ["0", "None", "off", "1.5", "-1", String(setting.range.upperBound + 1)] {
            let error = #expect(throws: ConfigurationError.self) {
                try ServerConfiguration(environment: [variable: value])
            }
            #expect(error?.description.hasPrefix("\(variable) is \"\(value)\"; set it to none or to a whole") == true)
        }
        var configuration = ServerConfiguration()
        configuration[keyPath: setting.property] = 0
        #expect(throws: ConfigurationError.self) { try configuration.validate() }
    }

    @Test func `an empty value counts as unset`() throws {
        let names = ServerConfiguration.settings.map(\.variable) + ["HOST", "SHARED_LISTENER"]
        let variables = Dictionary(uniqueKeysWithValues: names.map { ($0, "") })
        let configuration = try ServerConfiguration(environment: variables)
        #expect(configuration.maximumBodySize == ServerConfiguration().maximumBodySize)
        #expect(configuration.host == "127.0.0.1")
    }

    @Test func `one socket for all loops is 0 or 1`() throws {
        #expect(try ServerConfiguration(environment: ["SHARED_LISTENER": "1"]).hasSharedListener)
        #expect(try !ServerConfiguration(environment: ["SHARED_LISTENER": "0"]).hasSharedListener)
        let error = #expect(throws: ConfigurationError.self) {
            try ServerConfiguration(environment: ["SHARED_LISTENER": "yes"])
        }
        #expect(error?.description == "SHARED_LISTENER is \"yes\"; set it to 0 or 1.")
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
        configuration.headTimeout = 0
        let application = try? Application(configuration: configuration) { _ in }
        let error = await #expect(throws: ConfigurationError.self) {
            guard let application else { return }
            _ = try await Server(configuration, application, logger: application.logger)
        }
        #expect(error?.description == "HEAD_TIMEOUT is \"0\"; set it to a whole number of seconds from 1 to 86400.")
    }

    @Test func `the example file names every variable`() {
        let example = Readme.contents(".env.example")
        let settings = ServerConfiguration.settings.map(\.variable)
        for variable in settings + ServerConfiguration.optionalSettings.map(\.variable) {
            #expect(example.contains("\(variable)="), "\(variable)")
        }
    }
}
