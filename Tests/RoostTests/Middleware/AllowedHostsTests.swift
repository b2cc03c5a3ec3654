import Roost
import RoostTesting
import Testing

@Suite("Allowed hosts", .timeLimit(.minutes(5)))
struct AllowedHostsTests {
    private static func status(_ hosts: AllowedHosts, _ host: String) async throws -> Int {
        let application = try Application(middleware: [hosts]) { $0.get(Path("/")) { _ in "ok" } }
        return try await TestClient(application, host: host).get("/").status.code
    }

    @Test(arguments: [
        ("example.com", 200), ("EXAMPLE.com:8080", 200), ("example.com.", 200), ("www.example.com", 421),
        ("example.com.evil.example", 421), ("evilexample.com", 421), ("example.comx", 421), ("example.org", 200),
        ("a.b.example.org:1", 200), ("A.EXAMPLE.ORG.", 200), ("evilexample.org", 421), ("localhost", 200),
        ("localhost:3000", 200), ("LocalHost", 200), ("site.localhost", 200), ("localhostx", 421), ("127.0.0.1", 200),
        ("127.1.2.3:80", 200), ("[::1]:3000", 200), ("[::2]", 421), ("192.0.2.7", 421), ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example", 421),
    ])
    func `names that are listed, and this machine's own, are served`(host: String, status: Int) async throws {
        #expect(try await Self.status(AllowedHosts(["example.com", ".Example.ORG"]), host) == status)
    }

    @Test(arguments: [
        (["PUBLIC_URL": "https://Example.com:8443/"], "example.com", 200),
        (["PUBLIC_URL": "https://example.com"], "other.example", 421),
        (["PUBLIC_URL": "https://example.com"], "192.0.2.7", 421),
        (["PUBLIC_URL": "https://[2001:db8::1]:1"], "[2001:db8::1]", 200),
        (["ALLOWED_HOSTS": "a.example, .b.example"], "x.b.example", 200),
        (["ALLOWED_HOSTS": "a.example"], "localhost", 200), (["ALLOWED_HOSTS": "a.example"], "b.example", 421),
        (["ALLOWED_HOSTS": "2001:db8::1, 192.0.2.7"], "[2001:DB8:0::1]:3000", 200),
        (["ALLOWED_HOSTS": "[2001:DB8::1]"], "[2001:db8::1]", 200),
        (["ALLOWED_HOSTS": "2001:db8::1, 192.0.2.7"], "192.0.2.7:80", 200),
        (["ALLOWED_HOSTS": "2001:db8::1"], "[2001:db8::2]", 421), (["ALLOWED_HOSTS": "a.example, "], "a.example", 200),
        ([:], "anything.example", 200), (["ALLOWED_HOSTS": "", "PUBLIC_URL": ""], "anything.example", 200),
    ])
    func `in production they are those of the environment, or all`(
        variables: [String: String], host: String, status: Int
    ) async throws {
        var variables = variables
        variables["ROOST_ENV"] = "production"
        #expect(try await Self.status(AllowedHosts(environment: variables), host) == status)
    }

    @Test(arguments: [
        ("localhost:3000", 200), ("192.0.2.7:3000", 200), ("[2001:db8::1]", 200), ("rebound.example", 421),
        ("192.0.2.7.rebound.example", 421), ("a.example", 200),
        ("container:3000", 200), ("container.", 200),
    ])
    func `in development they are addresses, names without a dot, and those that are listed`(
        host: String, status: Int
    ) async throws {
        #expect(try await Self.status(AllowedHosts(environment: ["ALLOWED_HOSTS": "a.example"]), host) == status)
    }

    @Test(arguments: [
        "https://example.com", "*.example.com", "example.com:80", "a b", "bücher.example", "[::1]:80", "[::1",
    ])
    func `what is no name stops the start`(host: String) {
        let error = #expect(throws: StartError.self) { try AllowedHosts(environment: ["ALLOWED_HOSTS": host]) }
        #expect(error?.description.hasPrefix("ALLOWED_HOSTS has \"\(host)\"; write names like example.com") == true)
    }

    @Test func `its error has the application's format`() async throws {
        let hosts = try AllowedHosts(environment: [:])
        let application = try Application(middleware: Application.standardMiddleware() + [hosts]) { routes in
            routes.get(Path("/")) { _ in "ok" }
        }
        let response = try await TestClient(application, host: "rebound.example").get("/")
        #expect(response.status == .misdirectedRequest)
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(response.text.contains("This server does not serve the host rebound.example."))
        #expect(try await TestClient(application).get("/").status == .ok)
    }
}
