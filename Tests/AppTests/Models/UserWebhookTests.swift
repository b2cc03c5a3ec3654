import FoundationEssentials
import HTTPTypes
import Roost
import RoostHTTPClient
import RoostJobs
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import App

/// Another program is told about each change to the list of users.
@Suite("Webhooks of the site", .quietLog, .timeLimit(.minutes(5)))
struct UserWebhookTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    /// A program that is told, and keeps what it was told.
    private final class Receiver: Sendable {
        struct Message: Decodable, Equatable {
            let type: String
            let data: User.Summary
        }

        let messages = Mutex<[(id: String, message: Message)]>([])
        let isAuthentic = Mutex(true)
        private let status: @Sendable (Int) -> HTTPResponse.Status

        /// - Parameter status: The status of the response to each message, the first being 1.
        init(_ status: @escaping @Sendable (Int) -> HTTPResponse.Status = { _ in .noContent }) { self.status = status }

        func server() async throws -> TestHTTPServer {
            let key = try WebhookKey(secret)
            return try await TestHTTPServer { routes in
                routes.post(Path("/hook")) { request in
                    let bytes = try request.body.bytes
                    let message = try JSONCoder().decode(Message.self, from: bytes)
                    let count = self.messages.withLock { messages in
                        messages.append((request.headers[.webhookID] ?? "", message))
                        return messages.count
                    }
                    if !key.isValid(request.headers, body: bytes) { self.isAuthentic.withLock { $0 = false } }
                    return Response(self.status(count))
                }
            }
        }
    }

    private func site(_ url: String) throws -> TestClient {
        var settings = try Settings(["WEBHOOK_URL": url, "WEBHOOK_SECRET": Self.secret])
        settings.root = Site.root
        settings.database = .sqlite(path: ":memory:")
        return TestClient(try Site.application(settings))
    }

    private func signIn(_ client: TestClient) async throws {
        _ = try await client.post("/login", form: ["email": "test@example.com", "password": "123456"])
    }

    @Test func `each change is told, signed`() async throws {
        let receiver = Receiver()
        let server = try await receiver.server()
        let client = try site(server.url("/hook"))
        try await signIn(client)
        let user = try await client.post("/users", json: ["name": "Grace"]).json(User.Summary.self)
        #expect(try await client.put("/users/\(user.id)", json: ["name": "Grace H."]).status == .ok)
        let multipart: Headers = [.contentType: "multipart/form-data; boundary=X"]
        let picture = try await client.post(
            "/users/\(user.id)/picture", headers: multipart, body: PictureControllerTests.gifForm)
        #expect(picture.status.code < 300)
        #expect(try await client.delete("/users/\(user.id)").status == .noContent)
        #expect(try await client.runJobs() == 4)
        let told = receiver.messages.withLock { $0 }
        #expect(
            told.map(\.message.type).sorted() == ["user.added", "user.pictured", "user.removed", "user.renamed"])
        #expect(told.first { $0.message.type == "user.renamed" }?.message.data == .init(id: user.id, name: "Grace H."))
        #expect(Set(told.map(\.id)).count == 4)
        #expect(receiver.isAuthentic.withLock { $0 })
    }

    @Test func `what was refused or found nobody is not told`() async throws {
        let receiver = Receiver()
        let server = try await receiver.server()
        let client = try site(server.url("/hook"))
        try await signIn(client)
        #expect(try await client.post("/users", json: ["name": ""]).status == .unprocessableContent)
        #expect(try await client.delete("/users/99").status == .notFound)
        #expect(try await client.runJobs() == 0)
        #expect(receiver.messages.withLock { $0.isEmpty })
    }

    @Test func `a receiver that fails is told again, and one that is gone is not`() async throws {
        let failing = Receiver { _ in .internalServerError }
        let gone = Receiver { _ in .gone }
        for (receiver, rest) in [(failing, "1"), (gone, "0")] {
            let server = try await receiver.server()
            let client = try site(server.url("/hook"))
            try await signIn(client)
            #expect(try await client.post("/users", json: ["name": "Grace"]).status == .created)
            await #expect(throws: JobsFailed.self) { try await client.runJobs() }
            let waiting = try await client.service(Jobs.self)?.database.first(
                "SELECT count(*) FROM queued_jobs WHERE due_at IS NOT NULL", as: Int.self)
            #expect(waiting.map { "\($0)" } == rest)
        }
    }

    @Test func `its URL, which may hold a secret, is not shown`() throws {
        let url = "https://example.org/hook/token?key=x"
        var reader = SettingsReader(["WEBHOOK_URL": url, "WEBHOOK_SECRET": Self.secret], file: [])
        _ = Settings(reading: &reader)
        try reader.check()
        #expect(reader.entries.first { $0.name == "WEBHOOK_URL" }?.value == "********")
    }

    @Test(arguments: [HTTPResponse.Status.internalServerError, .gone, nil])
    func `its path is in no error of the job, which names the host`(status: HTTPResponse.Status?) async throws {
        let receiver = Receiver { _ in status ?? .ok }
        let server = try await receiver.server()
        // Without a status, nothing listens.
        let url = status == nil ? "http://127.0.0.1:1/hook" : server.url("/hook")
        let client = try site(url)
        try await signIn(client)
        #expect(try await client.post("/users", json: ["name": "Grace"]).status == .created)
        let error = await #expect(throws: JobsFailed.self) { try await client.runJobs() }
        let text = error?.description ?? ""
        #expect(text.contains(url.dropLast("/hook".count)) && !text.contains("/hook"), "\(text)")
    }

    @Test(arguments: [
        ["WEBHOOK_URL": "https://example.org/hook"], ["WEBHOOK_URL": "example.org", "WEBHOOK_SECRET": secret],
        ["WEBHOOK_URL": "https://example.org/hook", "WEBHOOK_SECRET": "secret"],
    ])
    func `a setting that cannot be used is named`(variables: [String: String]) {
        let error = #expect(throws: StartError.self) { try Settings(variables) }
        #expect(error.map { "\($0)".contains("openssl rand") && !"\($0)".contains("\"secret\"") } ?? false)
    }
}
