import HTTPTypes
import Roost
import RoostTesting
import Synchronization
import Testing

@testable import RoostHTTPClient

/// The limits of a call: time, size, connections, tries and addresses.
@Suite("Limits of HTTPClient", .timeLimit(.minutes(2)))
struct LimitTests {
    // MARK: Time and size

    @Test func `a server that never responds is given up`() async throws {
        let (never, end) = AsyncStream<Void>.makeStream()
        let server = try await TestHTTPServer { routes in
            routes.get(Path("/")) { _ in
                for await _ in never {}
                return "late"
            }
        }
        let http = HTTPClient(timeout: .milliseconds(50))
        #expect(await failure { try await http.get(server.url()) } == .timedOut)
        end.finish()
    }

    @Test func `a call that is cancelled ends, and the server learns of it`() async throws {
        let (arrived, arrive) = AsyncStream<Void>.makeStream()
        let (left, leave) = AsyncStream<Void>.makeStream()
        let server = try await TestHTTPServer { routes in
            routes.get(Path("/")) { request in
                request.cancelWhenClientLeaves()
                arrive.yield()
                try await withTaskCancellationHandler {
                    try await EventLoop.current?.sleep(for: .seconds(600))
                } onCancel: {
                    leave.yield()
                }
                return ""
            }
        }
        let call = Task { try await HTTPClient().get(server.url()) }
        for await _ in arrived { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        for await _ in left { break }
    }

    @Test func `a body larger than allowed is refused, also one that was compressed`() async throws {
        let text = String(repeating: "a", count: 1 << 20)
        let server = try await TestHTTPServer(
            Application(middleware: [Compression()]) { routes in routes.get(Path("/")) { _ in text } })
        #expect(try await HTTPClient().get(server.url()).text == text)
        #expect(try await HTTPClient().get(server.url()).headers[.contentEncoding] == "gzip")
        let http = HTTPClient(maximumBodySize: 1 << 20 - 1)
        #expect(await failure { try await http.get(server.url()) } == .bodyTooLarge)
    }

    @Test func `no more connections than allowed go to a host`() async throws {
        let ports = Mutex<Set<PeerAddress>>([])
        let server = try await TestHTTPServer { routes in
            routes.get(Path("/")) { request in
                ports.withLock { _ = $0.insert(request.peer) }
                try await EventLoop.current?.sleep(for: .milliseconds(1))
                return ""
            }
        }
        let http = HTTPClient(connectionsPerHost: 2)
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { try await http.get(server.url()).successful() } }
            try await group.waitForAll()
        }
        #expect((1...2).contains(ports.withLock { $0.count }))
    }

    // MARK: Streams

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
        let response = try await HTTPClient(timeout: .seconds(1)).stream(.init(.get, server.url()))
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

    // MARK: Tries

    @Test func `what may work in a moment is tried again, if it is idempotent`() async throws {
        let count = Mutex(0)
        let server = try await TestHTTPServer { routes in
            let handler = { @Sendable (_: Request) in
                let tries = count.withLock { count in
                    count += 1
                    return count
                }
                return tries < 3 ? Response(.serviceUnavailable) : Response(.ok)
            }
            routes.get(Path("/"), use: handler)
            routes.post(Path("/"), use: handler)
        }
        let http = HTTPClient(retries: RetryPolicy(tries: 3, pause: .milliseconds(1)))
        #expect(try await http.get(server.url()).status == .ok)
        #expect(count.withLock { $0 } == 3)
        count.withLock { $0 = 0 }
        #expect(try await http.post(server.url()).status == .serviceUnavailable)
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `a server that wants a longer pause than the policy allows is not asked again`() async throws {
        let count = Mutex(0)
        let server = try await TestHTTPServer { routes in
            routes.get(Path("/")) { _ in
                count.withLock { $0 += 1 }
                return Response(.tooManyRequests, headers: [.retryAfter: "3600"])
            }
        }
        let http = HTTPClient(retries: RetryPolicy(tries: 5, pause: .milliseconds(1)))
        #expect(try await http.get(server.url()).status == .tooManyRequests)
        #expect(count.withLock { $0 } == 1)
    }

    // MARK: Addresses

    @Test(arguments: ["127.0.0.1", "localhost", "0.0.0.0", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "[::1]"])
    func `no name of this machine gets past the check`(host: String) async throws {
        let server = try await TestHTTPServer { routes in routes.get(Path("/")) { _ in "inside" } }
        let http = HTTPClient(allows: .publicAddresses, timeout: .seconds(10))
        let kind = await failure { try await http.get("http://\(host):\(server.port)/") }
        #expect(kind == .addressRefused)
    }

    @Test(arguments: [
        "10.1.2.3", "100.64.0.1", "127.8.8.8", "169.254.169.254", "172.31.0.1", "192.168.1.1", "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "fd12::1", "64:ff9b::7f00:1", "2002:7f00:1::",
        "2001:db8::1",
        "ff02::1", "::ffff:10.0.0.1", "2001::1",
    ])
    func `an address for special purposes is not public`(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(!AllowedAddresses.publicAddresses.contains(address))
    }

    @Test(arguments: ["1.1.1.1", "9.9.9.9", "172.32.0.1", "2606:4700::1111", "2a00:1450:4001::1"])
    func `an address of the internet is public`(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AllowedAddresses.publicAddresses.contains(address))
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

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// The kind of the failure with which a call ends.
func failure(_ body: () async throws -> HTTPClient.Response) async -> HTTPClient.Failure.Kind? {
    await #expect(throws: HTTPClient.Failure.self) { _ = try await body() }?.kind
}
