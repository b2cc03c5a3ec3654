import Glibc
import Testing

@testable import Roost

@Suite("The warning of development", .timeLimit(.minutes(5)))
struct DevelopmentWarningTests {
    @Test(arguments: [
        ([:], false), (["PUBLIC_URL": "http://localhost:3000"], false), (["PUBLIC_URL": "https://[::1]"], false),
        (["PUBLIC_URL": "https://example.com"], true), (["PUBLIC_URL": "http://192.0.2.7"], true),
        (["TRUSTED_PROXIES": "loopback"], true), (["TRUSTED_PROXIES": "local"], true),
    ])
    func `a start warns where settings say that others see the site`(
        variables: [String: String], warns: Bool
    ) throws {
        let configuration = try ServerConfiguration(environment: variables)
        let application = try Application(configuration: configuration) { _ in }
        let warning = application.developmentWarning(in: .development, variables)
        #expect((warning != nil) == warns)
        #expect(warning?.contains("set ROOST_ENV=production") ?? true)
        #expect(application.developmentWarning(in: .production, variables) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", false), ("localhost", false), ("::1", false), ("unix:/run/site.sock", false), ("0.0.0.0", true),
        ("::", true), ("192.0.2.7", true), ("example.com", true),
    ])
    func `it says that other machines reach the site`(host: String, warns: Bool) throws {
        let configuration = try ServerConfiguration(environment: ["HOST": host])
        let application = try Application(configuration: configuration) { _ in }
        let warning = application.developmentWarning(in: .development, [:])
        #expect((warning != nil) == warns)
        #expect(warning?.contains("set HOST=127.0.0.1, or ROOST_ENV=production.") ?? true)
        #expect(application.developmentWarning(in: .production, [:]) == nil)
    }

    @Test(arguments: [("127.0.0.1", true), ("0.0.0.0", false)])
    func `sockets that the program was started with say who reaches it`(host: String, isOnThisMachine: Bool) throws {
        var configuration = ServerConfiguration()
        configuration.host = host
        configuration.port = 0
        let socket = try configuration.listen()
        defer { close(socket) }
        #expect(ListeningSocket.areOnThisMachine(1, from: socket) == isOnThisMachine)
    }

    @Test(arguments: [("127.0.0.1", true), ("0.0.0.0", false)])
    func `beside such sockets, HOST says who reaches a port of TLS`(host: String, isOnThisMachine: Bool) {
        var configuration = ServerConfiguration()
        configuration.host = host
        configuration.inheritedSockets = 1
        #expect(configuration.isHostOnThisMachine == isOnThisMachine)
    }

    @Test func `what is no socket is not taken for one of this machine alone`() {
        #expect(!ListeningSocket.areOnThisMachine(1, from: -1))
    }
}
