import Glibc
import HTTPTypes
import Processes
import Roost
import RoostTesting
import Synchronization
import Testing

@testable import RoostHTTPClient

/// Calls that share connections.
@Suite("Connections of HTTPClient", .timeLimit(.minutes(2)))
struct ConnectionTests {
    @Test func `a broken connection does not end a program without a server`() async {
        await #expect(processExitsWith: .success) {
            _ = try? await HTTPClient().get("http://127.0.0.1:1/")
            raise(SIGPIPE)
            exit(0)
        }
    }

    @Test func `a call that waits for a connection is given up, too`() async throws {
        let (arrived, end) = (Latch(), Latch())
        let server = try await TestHTTPServer { routes in
            routes.get(Path("/")) { _ in
                arrived.open()
                await end.wait()
                return "late"
            }
        }
        let http = HTTPClient(connectionsPerHost: 1)
        let first = Task { try await http.get(server.url()) }
        await arrived.wait()
        // A copy, which shares the connections.
        var copy = http
        copy.timeout = .milliseconds(50)
        let quick = copy
        #expect(await failure { try await quick.get(server.url()) } == .timedOut)
        end.open()
        #expect(try await first.value.text == "late")
    }

    @Test func `a request that may do more the second time is sent once`() async throws {
        let (seen, see) = AsyncStream<String>.makeStream()
        let server = try CannedServer { peer in
            while true {
                let head = peer.readHead()
                if head.isEmpty { return }
                see.yield(String(head.prefix { $0 != " " }))
                // The kept connection closes instead of a response.
                if head.hasPrefix("POST") { return }
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let http = HTTPClient()
        let url = "http://127.0.0.1:\(server.port)/"
        #expect(try await http.get(url).status == .ok)
        let lost = await #expect(throws: HTTPClient.Failure.self) { try await http.post(url, body: Body("x")) }
        #expect(lost?.kind == .connectionLost)
        #expect(lost?.description.hasSuffix(" before a response, and the request is not sent twice.") == true)
        #expect(try await http.get(url).status == .ok)
        see.finish()
        var methods: [String] = []
        for await method in seen { methods.append(method) }
        #expect(methods == ["GET", "POST", "GET"])
    }

    @Test func `a large body is sent from its beginning again`() async throws {
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let (seen, see) = AsyncStream<[UInt8]>.makeStream()
        let connections = Mutex(0)
        let server = try CannedServer { peer in
            let isFirst = connections.withLock { count in
                count += 1
                return count == 1
            }
            while true {
                let head = peer.readHead()
                if head.isEmpty { return }
                if head.hasPrefix("PUT") { see.yield(peer.readBody(body.count)) }
                // The kept connection closes instead of a response.
                if head.hasPrefix("PUT"), isFirst { return }
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let http = HTTPClient()
        let url = "http://127.0.0.1:\(server.port)/"
        #expect(try await http.get(url).status == .ok)
        #expect(try await http.put(url, body: Body(body)).status == .ok)
        see.finish()
        var count = 0
        for await bytes in seen {
            let isSame = bytes == body
            #expect(isSame)
            count += 1
        }
        #expect(count == 2)
    }

    /// Beside the sizes at which libcurl gets a body in another way.
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 1_000_000])
    func `a body of any size comes as it is`(size: Int) async throws {
        let server = try await TestHTTPServer { routes in
            routes.post(Path("/"), body: .collectedUpTo(2 << 20)) { request in
                let bytes = try request.body.bytes
                return SHA256.hexadecimal(of: bytes) + " \(request.headers[.contentLength] ?? "")"
            }
        }
        let text = String(repeating: "Nest. ", count: size / 6 + 1).prefix(size)
        let expected = SHA256.hexadecimal(of: text.utf8) + " \(size)"
        for body in [Body(String(text)), Body(Array(text.utf8))] {
            #expect(try await HTTPClient().post(server.url(), body: body).text == expected)
        }
    }

    @Test func `a request that is sent once takes no connection that has been idle for long`() async throws {
        let connections = Mutex(0)
        let server = try CannedServer { peer in
            connections.withLock { $0 += 1 }
            while !peer.readHead().isEmpty { peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        }
        let silent = try CannedServer { peer in _ = peer.readToEnd() }
        var settings = TransferSettings(
            allowed: .all, connectionsPerHost: 16, certificateAuthorities: nil, proxy: nil)
        settings.idleSeconds = 1
        let pools = TransferPools(settings)
        func send(
            _ method: HTTPRequest.Method, to server: CannedServer, within time: Duration = .seconds(60)
        ) async throws -> HTTPClient.Response {
            let request = HTTPClient.Request(method, "http://127.0.0.1:\(server.port)/")
            let exchange = TransferExchange(request, time: time, limit: 0, streams: false)
            return try await exchange.run(on: EventLoop.background.get(), pools)
        }
        #expect(try await send(.get, to: server).status == .ok)
        // A call that ends at its own limit: the connection has been idle for at least as long.
        #expect(await failure { try await send(.get, to: silent, within: .milliseconds(2100)) } == .timedOut)
        #expect(try await send(.post, to: server).status == .ok)
        #expect(connections.withLock { $0 } == 2)
    }

    @Test func `calls take new connections until those that may be on a dead one have ended`() {
        var hosts = SharedHosts()
        let start = ContinuousClock.now
        let end = start + .seconds(30)
        let middle = start + .seconds(15)
        var isNew: [Bool] = []
        isNew.append(hosts.begin("nest", at: start))
        hosts.avoid("nest", until: end, ifSilentSince: start)
        isNew.append(hosts.begin("nest", at: middle))
        isNew.append(hosts.begin("owl", at: middle))
        hosts.end("nest", respondedAt: middle)
        isNew.append(hosts.begin("nest", at: end))
        #expect(isNew == [false, true, false, false])
        // The host has responded since then.
        hosts.avoid("nest", until: end + .seconds(60), ifSilentSince: middle)
        isNew.append(hosts.begin("nest", at: end))
        hosts.avoid("nest", until: end + .seconds(60), ifSilentSince: end)
        isNew.append(hosts.begin("nest", at: end))
        #expect(isNew.suffix(2) == [false, true])
        // With its last call, what is known of a host is forgotten.
        for _ in 0..<4 { hosts.end("nest", respondedAt: nil) }
        isNew.append(hosts.begin("nest", at: end))
        #expect(isNew.last == false)
    }

    @Test func `the calls to a host have ended when its own have, whatever other hosts are called`() {
        let start = ContinuousClock.now
        let (middle, late) = (start + .seconds(30), start + .seconds(600))
        let ends = SharedHosts.ends(of: [("nest", start), ("owl", late), ("nest", middle), ("nest", start)])
        #expect(ends == ["nest": middle, "owl": late])
    }

    @Test(arguments: ["SSH-2.0-Nest\r\n", "+PONG\r\n", "-ERR unknown command\r\n", "HTTP/7.0 200 OK\r\n\r\n"])
    func `a server that speaks something else is at fault, not the request`(response: String) async throws {
        let server = try CannedServer { peer in
            _ = peer.readHead()
            peer.send(response)
        }
        let url = "http://127.0.0.1:\(server.port)/"
        let failure = await #expect(throws: HTTPClient.Failure.self) { try await HTTPClient().get(url) }
        #expect(failure?.kind == .malformed && failure?.httpError?.status == .badGateway)
    }

    /// The end of a server that has read the client's part of a handshake.
    enum HandshakeEnd: CaseIterable { case closed, reset, refused }

    @Test(arguments: HandshakeEnd.allCases)
    func `a connection that breaks during the handshake is tried again, a refusal is not`(
        end: HandshakeEnd
    ) async throws {
        let connections = Mutex(0)
        let server = try CannedServer { peer in
            connections.withLock { $0 += 1 }
            // A record, whose length is in the last two of its first five bytes (RFC 8446 §5.1).
            let head = peer.readBody(5)
            guard head.count == 5 else { return }
            _ = peer.readBody(Int(head[3]) << 8 | Int(head[4]))
            switch end {
            case .closed: break
            case .reset: peer.resetOnClose()
            // The alert `handshake_failure` (§6).
            case .refused: peer.send("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}")
            }
        }
        let http = HTTPClient(retries: RetryPolicy(tries: 2, pause: .milliseconds(1)))
        let kind = await failure { try await http.get("https://127.0.0.1:\(server.port)/") }
        #expect(kind == (end == .refused ? .untrusted : .connectionLost))
        #expect(connections.withLock { $0 } == (end == .refused ? 1 : 2))
    }

    @Test func `a server that speaks no TLS is not called untrusted`() async throws {
        let server = try CannedServer { peer in
            let head = peer.readBody(5)
            guard head.count == 5 else { return }
            _ = peer.readBody(Int(head[3]) << 8 | Int(head[4]))
            peer.send("HTTP/1.1 400 Bad Request\r\n\r\n")
            _ = peer.readToEnd()
        }
        let url = "https://127.0.0.1:\(server.port)/"
        let failure = await #expect(throws: HTTPClient.Failure.self) { try await HTTPClient().get(url) }
        #expect(failure?.kind == .untrusted && failure?.description == "\(url) does not speak TLS at this port.")
    }

    @Test func `a mark after which a letter has no place of its own is still a mark`() throws {
        // A combining character makes one `Character` of itself and the mark before it.
        let request = HTTPClient.Request(.get, "https://example.org/a#\u{308}b", query: ["c": "d"])
        #expect(request.url == "https://example.org/a?c=d")
        let bucket = S3Bucket(try S3Location("s3://key:secret@nests/\u{308}own?region=eu-central-1"))
        let url = try bucket.signedURL(.get, "a/\u{308}b", expiresIn: .seconds(60))
        #expect(url.hasPrefix("https://nests.s3.eu-central-1.amazonaws.com/%CC%88own/a/%CC%88b?"), "\(url)")
    }
}
