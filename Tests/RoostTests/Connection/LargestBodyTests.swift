import RoostTesting
import Testing

@testable import Roost

/// What would never fit into the memory of all clients, of which one may have half.
@Suite("Bodies that never fit into memory", .timeLimit(.minutes(5)))
struct LargestBodyTests {
    private static let configuration = {
        var configuration = ServerConfiguration()
        configuration.maximumBufferedSize = 1_000_000
        configuration.maximumBodySize = 100_000
        return configuration
    }()

    private static func client(_ log: LogLines = LogLines()) throws -> TestClient {
        try TestClient(log: log, configuration: configuration) { routes in
            routes.post(Path("/"), body: .collectedUpTo(4 << 20)) { request in "\(try request.body.bytes.count)" }
            routes.post(Path("/part"), body: .streamed) { request in
                var count = 0
                for try await part in try request.multipart() { count += try await part.bytes(upTo: 4 << 20).count }
                return "\(count)"
            }
            routes.get(Path("/bytes/{id}", Int.self)) { _, count in
                Response(body: Body([UInt8](repeating: 97, count: count)))
            }
        }
    }

    private static func expectRefusal(_ response: WireClient.Response) {
        #expect(response.status == .contentTooLarge && response.headers[.retryAfter] == nil)
    }

    @Test func `a body whose length says so is 413 at once`() async throws {
        let client = try Self.client()
        let text = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500001\r\nExpect: 100-continue\r\n\r\n"
        Self.expectRefusal(try await client.connection(sending: text).readResponse())
        let fits = try await client.post("/", body: [UInt8](repeating: 97, count: 400_000))
        #expect(fits.text == "400000")
    }

    @Test func `one without a length is 413 when it is passed`() async throws {
        let chunk = "100000\r\n" + String(repeating: "a", count: 1 << 20) + "\r\n0\r\n\r\n"
        let connection = try await Self.client().connection(
            sending: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk)
        Self.expectRefusal(try await connection.readResponse())
    }

    @Test func `so is a part of a form that is read as a whole`() async throws {
        let client = try Self.client()
        for (count, isRefused) in [(400_000, false), (600_000, true)] {
            let content = String(repeating: "a", count: count)
            let body = "--X\r\nContent-Disposition: form-data; name=a\r\n\r\n\(content)\r\n--X--"
            let response = try await client.post(
                "/part", headers: [.contentType: "multipart/form-data; boundary=X"], body: Array(body.utf8))
            if isRefused { Self.expectRefusal(response) } else { #expect(response.text == "\(count)") }
        }
    }

    @Test func `a response is a 500, and the log says what to do`() async throws {
        let log = LogLines()
        let client = try Self.client(log)
        #expect(try await client.get("/bytes/400000").body.count == 400_000)
        #expect(log.all.isEmpty)
        let response = try await client.get("/bytes/500001")
        #expect(response.status == .internalServerError && response.headers[.retryAfter] == nil)
        #expect(log.allWithLevels.count == 1)
        #expect(log.allWithLevels.first?.hasPrefix("error A response of 500001 bytes is in memory") == true)
        #expect(log.allWithLevels.first?.contains("half of MAX_BUFFERED_SIZE") == true)
    }

    @Test func `a start warns of a route that takes larger ones, and of a setting`() throws {
        var configuration = Self.configuration
        func warnings() throws -> [String] {
            try Application(configuration: configuration, middleware: []) { routes in
                routes.post(Path("/films"), body: .collectedUpTo(500_001)) { _ in "" }
                routes.post(Path("/pictures"), body: .collectedUpTo(500_000)) { _ in "" }
                routes.post(Path("/streams"), body: .streamed) { _ in "" }
                routes.post(Path("/texts")) { _ in "" }
            }.warnings
        }
        let one = try warnings()
        #expect(one.count == 1 && one.first?.hasPrefix("POST /films at ") == true, "\(one)")
        #expect(one.first?.contains("500001 bytes, but one of more than 500000, half of MAX_BUFFERED_SIZE") == true)
        configuration.maximumBodySize = 600_000
        let two = try warnings()
        #expect(two.count == 2 && two.first?.hasPrefix("MAX_BODY_SIZE is 600000") == true, "\(two)")
    }
}
