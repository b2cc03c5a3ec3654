import HTTPTypes
import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import App

@Suite("A site in development that others see", .quietLog, .timeLimit(.minutes(10)))
struct SeenByOthersTests {
    @Test(arguments: [["PUBLIC_URL": "https://example.com"], ["TRUSTED_PROXIES": "loopback"]])
    func `it has no demo account, and shows no mails`(variables: [String: String]) async throws {
        var settings = try Settings(variables)
        settings.root = Site.root
        settings.database = .sqlite(path: ":memory:")
        let host = settings.publicURL == nil ? "localhost" : "example.com"
        let client = TestClient(try Site.application(settings), host: host)
        let response = try await client.post("/login", form: LoginControllerTests.right)
        #expect(response.status == .unauthorized)
        #expect(try await !client.get("/login").text.contains("123456"))
        #expect(try await client.get("/dev/mails").status == .notFound)
    }

    @Test(arguments: ["0.0.0.0", "::", "192.0.2.7", "example.com", "127.0.0.1.example.com"])
    func `it has no demo account where other machines reach it`(host: String) async throws {
        var settings = try Settings(["HOST": host])
        settings.root = Site.root
        settings.database = .sqlite(path: ":memory:")
        let client = TestClient(try Site.application(settings))
        #expect(try await client.post("/login", form: LoginControllerTests.right).status == .unauthorized)
        #expect(try await !client.get("/login").text.contains("123456"))
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.2", "::1", "[::1]", "localhost", "unix:/run/site.sock"])
    func `it has one where this machine alone reaches it`(host: String) throws {
        #expect(try Settings(["HOST": host]).isForAuthor)
    }

    @Test func `check says that other machines reach it`() async throws {
        let (output, code) = try await SiteProcess.fail(["HOST": "0.0.0.0"], ["check"])
        #expect(code == "0" && output.contains("set HOST=127.0.0.1, or ROOST_ENV=production."), "\(output)")
    }

    @Test func `a start warns of it, and check says so`() async throws {
        let warning =
            "PUBLIC_URL or TRUSTED_PROXIES says that others see this site, but it runs in development: set "
            + "ROOST_ENV=production."
        let variables = ["PUBLIC_URL": "https://example.com", "DATABASE_URL": "memory:"]
        let site = try await SiteProcess.start(variables)
        #expect(site.output.contains(warning), "\(site.output)")
        #expect(try await site.terminate() == "0")
        let (output, code) = try await SiteProcess.fail(variables, ["check"])
        #expect(code == "0" && output.contains(warning), "\(output)")
        #expect(try await !SiteProcess.fail([:], ["check"]).output.contains(warning))
    }
}
