import Roost
import RoostTesting
import Synchronization
import Testing

@Suite("Large and streamed responses", .timeLimit(.minutes(5)))
struct StreamingTests {
    private struct Oops: Error {}

    /// A stream of these chunks, followed by an error.
    private static func stream(_ chunks: [String], failing: Bool = false) -> any Body.Stream {
        AsyncThrowingStream<[UInt8], any Error> { continuation in
            for chunk in chunks { continuation.yield(Array(chunk.utf8)) }
            continuation.finish(throwing: failing ? Oops() : nil)
        }
    }

    private static func client(more: (Routes) -> Void = { _ in }) throws -> TestClient {
        try TestClient { routes in
            routes.get(Path("/chunked")) { _ in Response(body: Body(stream: stream(["ab", "", "cde"]))) }
            routes.get(Path("/length")) { _ in Response(body: Body(stream: stream(["ab", "cde"]), length: 5)) }
            routes.get(Path("/empty")) { _ in Response(body: Body(stream: stream([]))) }
            routes.get(Path("/none")) { _ in Response(body: Body(stream: stream([]), length: 0)) }
            routes.get(Path("/long")) { _ in Response(body: Body(stream: stream(["abc", "def"]), length: 5)) }
            routes.get(Path("/short")) { _ in Response(body: Body(stream: stream(["abc"]), length: 5)) }
            routes.get(Path("/fails")) { _ in Response(body: Body(stream: stream(["abc"], failing: true))) }
            routes.post(Path("/echo"), body: .streamed) { request in Response(body: request.body) }
            more(routes)
        }
    }

    @Test(arguments: [
        ("chunked", "abcde", nil),
        ("length", "abcde", "5"),
        ("empty", "", nil),
        ("none", "", "0"),
    ])
    func `a stream goes out with its length, or in chunks, and the connection goes on`(
        path: String,
        text: String,
        length: String?
    ) async throws {
        let connection = try await Self.client().connect()
        for _ in 0..<2 {
            try await connection.send(.get, "/\(path)")
            let response = try await connection.readResponse()
            #expect(response.text == text)
            #expect(response.headers[.contentLength] == length)
            #expect(response.headers[.transferEncoding] == (length == nil ? "chunked" : nil))
        }
        try await connection.send(.head, "/\(path)")
        #expect(try await connection.readResponse(to: .head).headers[.contentLength] == length)
    }

    @Test(arguments: ["chunked", "empty"])
    func `to HTTP 1.0 the end of the connection ends a stream`(path: String) async throws {
        let request = "GET /\(path) HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
        let connection = try await Self.client().connection(sending: request)
        let response = try await connection.readResponse()
        #expect(response.headers[.transferEncoding] == nil)
        #expect(response.headers[.connection] == "close")
        #expect(response.text == (path == "empty" ? "" : "abcde"))
    }

    @Test func `to HTTP 1.0 a stream that fails does not look complete`() async throws {
        struct Failing: AsyncSequence, Sendable, AsyncIteratorProtocol {
            let failure: Latch
            var isFirst = true

            mutating func next() async throws -> [UInt8]? {
                defer { isFirst = false }
                if isFirst { return Array("abc".utf8) }
                await failure.wait()
                throw CancellationError()
            }

            func makeAsyncIterator() -> Failing { self }
        }
        let failure = Latch()
        let server = try await TestHTTPServer(
            Application(logger: LogLines().logger, middleware: []) { routes in
                routes.get(Path("/")) { _ in Response(body: Body(stream: Failing(failure: failure))) }
            })
        let connection = try await HTTPConnection.connect(port: server.port)
        try await connection.send("GET / HTTP/1.0\r\n\r\n")
        var text = ""
        while !text.hasSuffix("abc") { text += String(decoding: try await connection.receive(), as: UTF8.self) }
        failure.open()
        await #expect(throws: WireClientError.self) { try await connection.readToEnd() }
    }

    @Test(arguments: [("long", "abc"), ("short", "abc"), ("fails", "3\r\nabc\r\n")])
    func `a stream that is not what was said ends the connection`(path: String, sent: String) async throws {
        let request = "GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n"
        let connection = try await Self.client().connection(sending: request + request)
        let text = String(decoding: try await connection.readToEnd(), as: UTF8.self)
        #expect(text.hasSuffix("\r\n\r\n" + sent))
        #expect(text.split(separator: "HTTP/1.1 ").count == 1)
    }

    @Test func `a large body reaches a client that reads slowly`() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let client = try Self.client { $0.get(Path("/large")) { _ in Response(body: Body(body)) } }
        let request = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n"
        let connection = try await client.connection(sending: request + request)
        try await client.pass(.seconds(1))
        #expect(try await client.get("/length").text == "abcde")
        for _ in 0..<2 { #expect(try await connection.readResponse().body == body) }
    }

    @Test func `a stream is made no faster than its client reads it`() async throws {
        let made = Atomic(0)
        let chunk = [UInt8](repeating: 0x78, count: 50_000)
        let client = try Self.client { routes in
            routes.get(Path("/large")) { _ in
                let stream = AsyncThrowingStream<[UInt8], any Error> {
                    made.add(1, ordering: .relaxed).newValue <= 100 ? chunk : nil
                }
                return Response(body: Body(stream: stream, length: 5_000_000))
            }
        }
        let connection = try await client.connection(sending: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        // Other clients are served as often as needed until the stream stops.
        for _ in 0..<20 { _ = try await client.get("/length") }
        #expect(made.load(ordering: .relaxed) < 50)
        #expect(try await connection.readResponse().body.count == 5_000_000)
        #expect(made.load(ordering: .relaxed) == 101)
    }

    @Test func `a response may be made from the request's body as it comes`() async throws {
        let head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n"
        let connection = try await Self.client().connection(sending: head + "01234")
        try await connection.send("56789")
        let response = try await connection.readResponse()
        #expect(response.text == "0123456789")
    }

    @Test func `a body that is kept until its request is over has ended too`() async throws {
        let kept = Mutex<Body?>(nil)
        let client = try Self.client { routes in
            routes.post(Path("/keep"), body: .streamed) { request in
                kept.withLock { $0 = request.body }
                return "kept"
            }
            routes.post(Path("/use"), body: .streamed) { request in
                let old = kept.withLock { $0 }
                let text = try? await old?.collect(upTo: 100).text
                return "\(text ?? "nothing") \(try await request.body.collect(upTo: 100).text)"
            }
        }
        let chunked = "HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let text = "POST /keep \(chunked)3\r\nabc\r\n0\r\n\r\nPOST /use \(chunked)3\r\ndef\r\n0\r\n\r\n"
        let connection = try await client.connection(sending: text)
        #expect(try await connection.readResponse().text == "kept")
        #expect(try await connection.readResponse().text == "nothing def")
    }
}
