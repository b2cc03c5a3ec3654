import Glibc
import RoostTesting
import Testing

@testable import Roost
@testable import RoostTLS

@Suite("Settings of TLS", .timeLimit(.minutes(5)))
struct TLSSettingsTests {
    @Test(arguments: [
        ["TLS_CERTIFICATE": "a.pem", "TLS_KEY": "a.key"], ["TLS_KEY": "a.key"], ["TLS_CLIENT_CA": "root.pem"],
        ["TLS": "files", "TLS_PORT": "none", "TLS_CERTIFICATE": "a.pem", "TLS_KEY": "a.key"],
    ])
    func `files without a port are a mistake, unless TLS is off`(variables: [String: String]) {
        let error = #expect(throws: StartError.self) { try TLS(environment: variables) }
        #expect(error?.exitCode == EX_CONFIG)
        #expect(error?.description.contains(" is set, but TLS has no port: set TLS_PORT, as in ") ?? false)
        #expect(throws: Never.self) { try TLS(environment: variables.merging(["TLS": "off"]) { $1 }) }
    }

    @Test(arguments: [
        (["TLS": "files"], "TLS=files needs a certificate and its key: ", ", or set TLS=off."),
        (["TLS_PORT": "443"], "TLS_PORT needs a certificate and its key: ", ", or remove TLS_PORT."),
    ])
    func `a missing certificate is said of the setting that asks for it`(
        variables: [String: String], start: String, end: String
    ) {
        let error = #expect(throws: StartError.self) { try TLS(environment: variables) }
        #expect(error?.description.hasPrefix(start) ?? false, "\(error)")
        #expect(error?.description.hasSuffix(end) ?? false, "\(error)")
    }

    @Test(arguments: [nil, .site] as [TLSSettings.PlainRequests?])
    func `where clients must show a certificate, nobody is served without TLS unless that is set`(
        plain: TLSSettings.PlainRequests?
    ) async throws {
        let own = try TestCertificate("client")
        let site = try await TLSSite { settings, folder in
            settings.clientAuthority = folder.write("ca.pem", own.certificate)
            settings.plain = plain
        }
        let client = HTTPConnection(
            descriptor: try await site.server.connect(), host: "localhost", timeout: .seconds(60))
        try await client.send(request)
        #expect(try await client.readResponse().status.code == (plain == .site ? 200 : 308))
    }

    @Test func `a name that is written more than once is ordered once`() {
        var reader = SettingsReader(["TLS": "auto", "HOST_NAMES": "b.test,a.test,B.test,a.test"])
        #expect(TLSSettings(reading: &reader).automatic?.hosts == ["b.test", "a.test"])
    }
}
