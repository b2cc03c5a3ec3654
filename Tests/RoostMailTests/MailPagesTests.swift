import HTTPTypes
import Roost
import RoostMail
import RoostTesting
import Testing

@Suite("The pages of mails", .quietLog, .timeLimit(.minutes(2)))
struct MailPagesTests {
    private static let paths = ["/dev/mails", "/dev/mails/1", "/dev/mails/1/html"]

    private static func application() throws -> Application {
        try Application { $0.add(MailPages(Mailer(nil, from: "nest@example.org"))) }
    }

    @Test(arguments: paths)
    func `other machines, proxies, other hosts and pages of other sites see none`(path: String) async throws {
        let application = try Self.application()
        let far = TestClient(application, peer: .tcp(try #require(IPAddress("192.0.2.7")), port: 1))
        #expect(try await far.get(path).status == .notFound)
        #expect(try await TestClient(application, host: "shop.example").get(path).status == .notFound)
        let client = TestClient(application)
        for (name, value) in [("X-Forwarded-For", "192.0.2.7"), ("Referer", "https://evil.example/")] {
            let headers: Headers = [try #require(HTTPField.Name(name)): value]
            let response = try await client.get(path, headers: headers)
            #expect(response.status == .notFound && !response.text.contains("Mails"), "\(name)")
        }
    }

    @Test(arguments: [("1.1", HTTPResponse.Status.ok), ("1.0", .notFound)])
    func `a request in HTTP/1.0, as proxies send it, sees none`(
        version: String, status: HTTPResponse.Status
    ) async throws {
        let connection = try await TestClient(Self.application()).connect()
        try await connection.send("GET /dev/mails HTTP/\(version)\r\nHost: 127.0.0.1:3000\r\n\r\n")
        #expect(try await connection.readResponse(to: .get).status == status)
    }
}
