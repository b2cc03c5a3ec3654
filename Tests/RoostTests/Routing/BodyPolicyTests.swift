import Roost
import RoostTesting
import Testing

@Suite("Bodies and the functions of routes", .timeLimit(.minutes(5)))
struct BodyPolicyTests {
    /// Every path twice: `/now` with a function that never waits, `/later` with one that does.
    private static func client(maximumBodySize: Int = 1000) throws -> TestClient {
        var configuration = ServerConfiguration()
        configuration.maximumBodySize = maximumBodySize
        return try TestClient(configuration: configuration) { routes in
            let bodies: [(String, BodyPolicy)] = [
                ("default", .collected), ("small", .collectedUpTo(4)), ("big", .collectedUpTo(2000)),
            ]
            for (name, body) in bodies {
                routes.post(Path("/now/\(name)"), body: body) { request in try request.body.text }
                routes.post(Path("/later/\(name)"), body: body) { request in
                    await Task.yield()
                    return try request.body.text
                }
            }
            routes.post(Path("/now/streamed"), body: .streamed) { request in "\(request.body.isStream)" }
            routes.post(Path("/later/streamed"), body: .streamed) { request in
                try await request.body.collect(upTo: 3000).text
            }
        }
    }

    private static let names = ["now", "later"]

    private static func chunked(_ body: String, by size: Int) -> String {
        var rest = body[...]
        var text = ""
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            text += "\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n"
            rest = rest.dropFirst(size)
        }
        return text + "0\r\n\r\n"
    }

    @Test(arguments: names, [0, 1, 999, 1000])
    func `a body that comes with the head is there`(name: String, length: Int) async throws {
        let body = String(repeating: "x", count: length)
        let response = try await Self.client().request(.post, "/\(name)/default", body: Array(body.utf8))
        #expect(response.status == .ok)
        #expect(response.text == body)
    }

    @Test(arguments: names, [1, 999, 1000])
    func `a body that comes later is waited for`(name: String, length: Int) async throws {
        let body = String(repeating: "x", count: length)
        let head = "POST /\(name)/default HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n"
        let connection = try await Self.client().connection(sending: head + "Expect: 100-continue\r\n\r\n")
        #expect(try await connection.readResponse().status == .continue)
        try await connection.send(body)
        #expect(try await connection.readResponse().text == body)
    }

    @Test(arguments: names, [1, 7, 1000])
    func `a chunked body is put together`(name: String, size: Int) async throws {
        let body = String(repeating: "0123456789", count: 100)
        let head = "POST /\(name)/default HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let connection = try await Self.client().connection(sending: head + Self.chunked(body, by: size))
        #expect(try await connection.readResponse().text == body)
    }

    @Test(
        arguments: names,
        [
            ("default", 1000, true),
            ("default", 1001, false),
            ("small", 4, true),
            ("small", 5, false),
            ("big", 2000, true),
            ("big", 2001, false),
        ]
    )
    func `a body beyond the route's limit is 413 with a length and in chunks`(
        name: String,
        limit: (route: String, length: Int, isAllowed: Bool)
    ) async throws {
        let client = try Self.client()
        let path = "/\(name)/\(limit.route)"
        let body = String(repeating: "x", count: limit.length)
        let status: HTTPResponse.Status = limit.isAllowed ? .ok : .contentTooLarge
        #expect(try await client.request(.post, path, body: Array(body.utf8)).status == status)
        let head = "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let connection = try await client.connection(sending: head + Self.chunked(body, by: 100))
        #expect(try await connection.readResponse().status == status)
    }

    @Test(arguments: names)
    func `a body that announces too much is refused without being asked for`(name: String) async throws {
        let head = "POST /\(name)/default HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\nExpect: 100-continue\r\n\r\n"
        let connection = try await Self.client().connection(sending: head)
        let response = try await connection.readResponse()
        #expect(response.status == .contentTooLarge)
        #expect(response.headers[.connection] == "close")
        try await connection.waitForClose()
    }

    @Test func `a streamed route has no limit but its own`() async throws {
        let client = try Self.client()
        let body = [UInt8](repeating: 0x78, count: 2999)
        #expect(try await client.request(.post, "/later/streamed", body: body).body == body)
        let large = [UInt8](repeating: 0x78, count: 3001)
        #expect(try await client.request(.post, "/later/streamed", body: large).status == .contentTooLarge)
    }

    @Test(.quietLog) func `a streamed route collects before it reads, also what came with the head`() async throws {
        let client = try TestClient { routes in
            routes.post(Path("/bytes"), body: .streamed) { request in "\(try request.body.bytes.count)" }
            routes.post(Path("/text"), body: .streamed) { request in try request.body.text }
            routes.post(Path("/collected"), body: .streamed) { request in
                try await request.body.collect(upTo: 100).text
            }
            routes.post(Path("/pieces"), body: .streamed) { request in
                var bytes: [UInt8] = []
                for try await piece in request.body { bytes += piece }
                return String(decoding: bytes, as: UTF8.self)
            }
            routes.post(Path("/echo"), body: .streamed) { request in Response(body: request.body) }
        }
        let body = Array("hello".utf8)
        for path in ["/bytes", "/text"] {
            #expect(try await client.post(path, body: body).status == .internalServerError, "\(path)")
        }
        for path in ["/collected", "/pieces", "/echo"] {
            #expect(try await client.post(path, body: body).text == "hello", "\(path)")
        }
    }

    @Test func `a streamed route that does not wait sees the stream and lets it be`() async throws {
        let head = "POST /now/streamed HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n"
        let connection = try await Self.client().connection(sending: head)
        let response = try await connection.readResponse()
        #expect(response.text == "true")
        #expect(response.headers[.connection] == "close")
    }

    @Test(arguments: names)
    func `what a function throws is the response`(name: String) async throws {
        let client = try TestClient { routes in
            routes.get(Path("/now")) { _ -> Response in throw HTTPError(.conflict, headers: [.retryAfter: "7"]) }
            routes.get(Path("/later")) { _ -> Response in
                await Task.yield()
                throw HTTPError(.conflict, headers: [.retryAfter: "7"])
            }
        }
        let response = try await client.get("/\(name)")
        #expect(response.status == .conflict)
        #expect(response.headers[.retryAfter] == "7")
    }
}
