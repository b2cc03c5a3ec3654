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
}
