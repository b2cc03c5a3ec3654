import Roost
import RoostTesting
import Testing

/// Bodies piece by piece, as an application sees them: this suite uses only what is public.
@Suite("A body piece by piece", .timeLimit(.minutes(5)))
struct BodyChunksTests {
    private static func pieces(_ body: Body) async throws -> [String] {
        var pieces: [String] = []
        for try await piece in body { pieces.append(String(decoding: piece, as: UTF8.self)) }
        return pieces
    }

    private static func client() throws -> TestClient {
        try TestClient { routes in
            routes.post(Path("/sum"), body: .streamed) { request in
                var (count, sum) = (0, 0)
                for try await piece in request.body {
                    count += piece.count
                    sum += piece.reduce(0) { $0 + Int($1) }
                }
                return "\(count) \(sum)"
            }
            routes.post(Path("/first"), body: .streamed) { request in
                var pieces = request.body.makeAsyncIterator()
                return "\(try await pieces.next()?.first ?? 0)"
            }
            routes.post(Path("/collected")) { request in try await pieces(request.body).joined(separator: "|") }
        }
    }

    @Test func `what a client sends is read as it comes, however much it is`() async throws {
        let body = [UInt8](repeating: 1, count: 3_000_000)
        let response = try await Self.client().request(.post, "/sum", body: body)
        #expect(response.text == "3000000 3000000")
    }

    @Test(arguments: [
        "Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
    ])
    func `with a length or in chunks`(rest: String) async throws {
        let client = try Self.client()
        let connection = try await client.connection(sending: "POST /sum HTTP/1.1\r\nHost: a\r\n" + rest)
        #expect(try await connection.readResponse().text == "5 532")
        connection.close()
    }

    @Test func `a handler that reads only a part can respond`() async throws {
        let response = try await Self.client().request(.post, "/first", body: [7, 8, 9])
        #expect(response.text == "7")
    }

    @Test func `a body in memory is one piece, and an empty one has none`() async throws {
        #expect(try await Self.pieces("hello") == ["hello"])
        #expect(try await Self.pieces(Body([104, 105])) == ["hi"])
        #expect(try await Self.pieces(Body()) == [])
        #expect(try await Self.client().request(.post, "/collected", body: Array("hello".utf8)).text == "hello")
    }

    @Test func `a negative length is one that is not known`() {
        let stream = AsyncThrowingStream<[UInt8], any Error> { $0.finish() }
        #expect(Body(stream: stream, length: -1).count == nil)
        #expect(Body(stream: stream, length: 0).count == 0)
    }

    @Test func `no piece is empty`() async throws {
        let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
            for text in ["", "a", "", "bc", ""] { continuation.yield(Array(text.utf8)) }
            continuation.finish()
        }
        #expect(try await Self.pieces(Body(stream: stream)) == ["a", "bc"])
    }
}
