import HTTPTypes
import Processes
import Roost
import RoostTesting
import Synchronization
import Testing

@testable import RoostHTTPClient

/// Bodies that are read as they come.
@Suite("Streams of HTTPClient", .timeLimit(.minutes(2)))
struct StreamTests {
    private static func streamed(_ url: String, _ headers: Headers = [:]) async throws -> (
        bytes: [UInt8], coding: String?
    ) {
        let response = try await HTTPClient().stream(.init(.get, url, headers: headers))
        var bytes: [UInt8] = []
        for try await piece in response.body { bytes += piece }
        return (bytes, response.headers[.contentEncoding])
    }

    @Test func `a stream is not decompressed, so that a few bytes cannot become many while its reader pauses`()
        async throws
    {
        let asked = Mutex<[String?]>([])
        let server = try await TestHTTPServer(
            Application(middleware: [Compression()]) { routes in
                routes.get(Path("/")) { request in
                    asked.withLock { $0.append(request.headers[.acceptEncoding]) }
                    return String(repeating: "a", count: 1 << 20)
                }
                routes.get(Path("/unasked")) { _ in
                    Response(headers: [.contentEncoding: "gzip"], body: Body([0x1F, 0x8B, 0x08]))
                }
            })
        let plain = try await Self.streamed(server.url())
        #expect(plain.bytes.count == 1 << 20 && plain.coding == nil)
        let compressed = try await Self.streamed(server.url(), [.acceptEncoding: "gzip"])
        #expect(compressed.bytes.count < 1 << 12 && compressed.coding == "gzip")
        #expect(try await Self.streamed(server.url("/unasked")).bytes == [0x1F, 0x8B, 0x08])
        #expect(asked.withLock { $0 } == ["identity", "gzip"])
    }

    @Test func `a streamed body is read no faster than the reader asks`() async throws {
        let sent = Mutex(0)
        let (ended, end) = AsyncStream<Void>.makeStream()
        let server = try await TestHTTPServer { routes in
            routes.get(Path("/")) { _ in
                Response(body: Body(stream: Endless(sent: { sent.withLock { $0 += 1 << 16 } }, ended: { end.yield() })))
            }
        }
        do {
            let response = try await HTTPClient().stream(.init(.get, server.url()))
            var pieces = response.body.makeAsyncIterator()
            for _ in 0..<3 { #expect(try await pieces.next()?.isEmpty == false) }
        }
        // Nobody reads on: the transfer ends, and the server learns of it.
        for await _ in ended { break }
        #expect(sent.withLock { $0 } < 64 << 20)
    }

    @Test func `of two tasks that read one body, the second is told, and the first gets what comes`() async throws {
        let download = Download(streams: true, limit: 0)
        let body = Reading(download)
        let readers = (0..<2).map { _ in
            Task.immediate { () async throws -> [UInt8]? in
                var pieces = body.makeAsyncIterator()
                return try await pieces.next()
            }
        }
        let piece: [UInt8] = [1, 2, 3]
        let taking = piece.withUnsafeBytes { download.take($0) }
        #expect(taking == .taken)
        let second = await readers[1].result
        try #require(throws: BodyReadTwice.self) { try second.get() }
        #expect(try await readers[0].value == piece)
    }

    @Test func `a streamed body is sent while it comes`() async throws {
        let server = try await TestHTTPServer { routes in
            routes.put(Path("/count"), body: .streamed) { request in
                var count = 0
                for try await piece in request.body { count += piece.count }
                return "\(count)"
            }
        }
        let (pieces, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let call = Task { try await HTTPClient().put(server.url("/count"), body: Body(stream: pieces)) }
        for _ in 0..<100 { source.yield([UInt8](repeating: 7, count: 10_000)) }
        source.finish()
        #expect(try await call.value.text == "1000000")
    }

    /// A server that responds with what it gets: first with the head, which has its length.
    private static func echo() throws -> CannedServer {
        try CannedServer { peer in
            _ = peer.readHead()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
            peer.send(String(decoding: peer.readBody(3), as: UTF8.self))
        }
    }

    /// An exchange that sends three bytes as they come, and takes the response as a stream.
    private static func upload(
        to server: CannedServer
    ) -> (TransferExchange, TransferPools, AsyncThrowingStream<[UInt8], any Error>.Continuation) {
        let (pieces, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let body = Body(stream: pieces, length: 3)
        let request = HTTPClient.Request(.put, "http://127.0.0.1:\(server.port)/", body: body)
        let settings = TransferSettings(
            allowed: .all, connectionsPerHost: 1, certificateAuthorities: nil, proxy: nil)
        let exchange = TransferExchange(request, time: .seconds(30), limit: 0, streams: true)
        return (exchange, TransferPools(settings), source)
    }

    @Test func `the head is there before the request has been sent, and the call has no deadline any more`()
        async throws
    {
        let server = try Self.echo()
        let (exchange, pools, source) = Self.upload(to: server)
        let response = try await exchange.run(on: EventLoop.background.get(), pools)
        let transfer = try #require(exchange.state.withLock { $0.transfer })
        #expect(await transfer.run { $0.deadline == nil } == true)
        source.yield(Array("egg".utf8))
        source.finish()
        #expect(try await response.body.collect(upTo: 10).text == "egg")
    }

    @Test func `a source that breaks after the head has come breaks off the response`() async throws {
        let server = try Self.echo()
        let (pieces, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let url = "http://127.0.0.1:\(server.port)/"
        let response = try await HTTPClient().stream(.init(.put, url, body: Body(stream: pieces, length: 3)))
        source.finish(throwing: Broken())
        await #expect(throws: Broken.self) { try await response.body.collect(upTo: 10) }
    }

    @Test(arguments: ["204 No Content", "304 Not Modified", "201 Created\r\nContent-Length: 0"])
    func `a source that breaks after a response without a body is the call's error`(head: String) async throws {
        let server = try CannedServer { peer in
            _ = peer.readHead()
            peer.send("HTTP/1.1 \(head)\r\n\r\n")
            _ = peer.readBody(3)
        }
        let (exchange, pools, source) = Self.upload(to: server)
        let call = Task { try await exchange.run(on: EventLoop.background.get(), pools) }
        while exchange.state.withLock({ $0.head == nil && !$0.isSettled }) {
            try Task.checkCancellation()
            await Task.yield()
        }
        source.finish(throwing: Broken())
        await #expect(throws: Broken.self) { try await call.value }
    }

    @Test func `a request that goes on after a response without a body has its timeout`() async throws {
        let (pieces, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let server = try CannedServer { peer in
            _ = peer.readHead()
            peer.send("HTTP/1.1 204 No Content\r\n\r\n")
            // The next byte comes when the one before has, so something is always on its way.
            repeat { source.yield([1]) } while !peer.readBody(1).isEmpty
        }
        let body = Body(stream: pieces, length: 1 << 40)
        let url = "http://127.0.0.1:\(server.port)/"
        let failure = await #expect(throws: HTTPClient.Failure.self) {
            _ = try await HTTPClient(timeout: .seconds(1)).stream(.init(.put, url, body: body))
        }
        #expect(failure?.kind == .timedOut)
    }

    @Test func `a response without a body comes when the request has been sent`() async throws {
        let server = try await TestHTTPServer { routes in
            routes.put(Path("/"), body: .streamed) { request in
                Response(try await request.body.collect(upTo: 10).text == "egg" ? .noContent : .badRequest)
            }
        }
        let (pieces, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        source.yield(Array("egg".utf8))
        source.finish()
        let response = try await HTTPClient().stream(.init(.put, server.url(), body: Body(stream: pieces)))
        #expect(response.status == .noContent && response.body.count == 0)
    }

    @Test func `a request's body goes on to another server`() async throws {
        let server = try await TestHTTPServer { routes in
            routes.put(Path("/"), body: .collectedUpTo(1 << 20)) { Response(body: $0.body) }
        }
        let http = HTTPClient()
        let client = TestClient(
            try Application(middleware: []) { routes in
                routes.put(Path("/"), body: .streamed) { request in
                    let response = try await http.put(server.url(), body: request.body)
                    return Response(body: response.body)
                }
            })
        let bytes = [UInt8](repeating: 1, count: 300_000)
        #expect(try await client.put("/", body: bytes).body == bytes)
    }

    @Test func `the error of a source is the call's`() async throws {
        let server = try await TestHTTPServer { routes in
            routes.put(Path("/"), body: .streamed) { request in try await request.body.collect(upTo: 100).text }
        }
        let broken = AsyncThrowingStream<[UInt8], any Error> { throw Broken() }
        await #expect(throws: Broken.self) { try await HTTPClient().put(server.url(), body: Body(stream: broken)) }
    }

    @Test func `a server that responds early ends the sending`() async throws {
        let server = try await TestHTTPServer { routes in
            routes.put(Path("/"), body: .streamed) { _ in Response(.forbidden) }
        }
        let endless = Body(stream: Endless(sent: {}, ended: {}))
        let outcome = await Result { try await HTTPClient(timeout: .seconds(20)).put(server.url(), body: endless) }
        // The server closes: whether its response or its reset is read first is up to the network.
        switch outcome {
        case .success(let response): #expect(response.status == .forbidden)
        case .failure(let error): #expect((error as? HTTPClient.Failure)?.kind == .connectionLost)
        }
    }

    @Test func `a source that stalls does not outlive the timeout`() async throws {
        let server = try await TestHTTPServer { routes in
            routes.put(Path("/"), body: .streamed) { try await $0.body.collect(upTo: 100).text }
        }
        let (silence, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let http = HTTPClient(timeout: .milliseconds(50))
        #expect(await failure { try await http.put(server.url(), body: Body(stream: silence)) } == .timedOut)
        source.finish()
    }

    @Test func `a streamed body in which nothing comes any more is given up`() async throws {
        let (pieces, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let server = try await TestHTTPServer { routes in
            routes.get(Path("/")) { _ in Response(body: Body(stream: pieces)) }
        }
        source.yield([1])
        let response = try await HTTPClient(timeout: .seconds(5)).stream(.init(.get, server.url()))
        var body = response.body.makeAsyncIterator()
        #expect(try await body.next() == [1])
        let failure = await #expect(throws: HTTPClient.Failure.self) { try await body.next() }
        #expect(failure?.kind == .timedOut)
        source.finish()
    }

    @Test func `a call that is cancelled never sends what has come as the whole`() async throws {
        let (ends, end) = AsyncStream<Bool>.makeStream()
        let (arrived, arrive) = AsyncStream<Void>.makeStream()
        let server = try await TestHTTPServer { routes in
            routes.put(Path("/"), body: .streamed) { request in
                do {
                    for try await _ in request.body { arrive.yield() }
                    end.yield(true)
                } catch {
                    end.yield(false)
                }
                return ""
            }
        }
        let (pieces, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        source.yield([1, 2, 3])
        let call = Task { try await HTTPClient().put(server.url(), body: Body(stream: pieces)) }
        for await _ in arrived { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        for await isWhole in ends {
            #expect(!isWhole)
            break
        }
    }
}

private struct Broken: Error {}

/// Pieces of 64 KiB without end.
private struct Endless: AsyncSequence, Sendable {
    let sent: @Sendable () -> Void
    let ended: @Sendable () -> Void

    final class AsyncIterator: AsyncIteratorProtocol {
        let source: Endless
        init(_ source: Endless) { self.source = source }
        deinit { source.ended() }

        func next() async throws -> [UInt8]? {
            source.sent()
            return [UInt8](repeating: 1, count: 1 << 16)
        }

        func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> [UInt8]? { try await next() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
