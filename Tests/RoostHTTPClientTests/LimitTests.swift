import HTTPTypes
import Processes
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
        let end = Latch()
        let server = try await TestHTTPServer { routes in
            routes.get(Path("/")) { _ in
                await end.wait()
                return "late"
            }
        }
        let http = HTTPClient(timeout: .milliseconds(50))
        #expect(await failure { try await http.get(server.url()) } == .timedOut)
        end.open()
    }

    @Test func `a call that is cancelled ends, and the server learns of it`() async throws {
        let (arrived, left) = (Latch(), Latch())
        let server = try await TestHTTPServer { routes in
            routes.get(Path("/")) { request in
                request.cancelWhenClientLeaves()
                arrived.open()
                try await withTaskCancellationHandler {
                    try await EventLoop.current?.sleep(for: .seconds(600))
                } onCancel: {
                    left.open()
                }
                return ""
            }
        }
        let call = Task { try await HTTPClient().get(server.url()) }
        await arrived.wait()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        await left.wait()
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

    @Test(arguments: [
        "Content-Encoding: gzip, gzip", "Content-Encoding: br\r\ncontent-encoding: gzip", "Content-Encoding: gzip\r,br",
        "Transfer-Encoding: gzip, chunked\r\nContent-Encoding: gzip",
        "Content-Encoding: gzip\r\n\r\nHTTP/1.1 200 OK\r\nContent-Encoding: gzip",
    ])
    func `a body that is compressed more than once is refused, unless it comes as it was sent`(
        fields: String
    ) async throws {
        let status = fields.contains("HTTP/1.1") ? "103 Early Hints" : "200 OK"
        let length = fields.contains("chunked") ? "" : "Content-Length: 0\r\n"
        let server = try CannedServer { peer in
            _ = peer.readHead()
            peer.send("HTTP/1.1 \(status)\r\n\(fields)\r\n\(length)\r\n")
            if length.isEmpty { peer.send("0\r\n\r\n") }
        }
        let url = "http://127.0.0.1:\(server.port)/"
        #expect(await failure { try await HTTPClient().get(url) } == .malformed)
        if !length.isEmpty { #expect(try await HTTPClient().stream(.init(.get, url)).status == .ok) }
    }

    @Test(arguments: [(200, true), (300, false)])
    func `trailers count as fields of a response`(kilobytes: Int, isTaken: Bool) async throws {
        let server = try CannedServer { peer in
            _ = peer.readHead()
            peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n")
            let line = "X-Nest: " + String(repeating: "a", count: 1014) + "\r\n"
            peer.send(String(repeating: line, count: kilobytes) + "\r\n")
        }
        let request = HTTPClient.Request(.get, "http://127.0.0.1:\(server.port)/")
        let whole = await Result { try await HTTPClient().send(request).text }
        let streamed = await Result { try await HTTPClient().stream(request).body.collect(upTo: 10).text }
        for outcome in [whole, streamed] {
            switch outcome {
            case .success(let text): #expect(isTaken && text == "hi")
            case .failure(let error): #expect(!isTaken && (error as? HTTPClient.Failure)?.kind == .malformed)
            }
        }
    }

    @Test func `each pause in a stream may take the whole timeout, also after a redirect`() async throws {
        let pauses = Mutex<[Duration]>([])
        let http = HTTPClient(
            { request, _, pause, _, _ in
                pauses.withLock { $0.append(pause) }
                if request.url.hasSuffix("/b") { return HTTPClient.Response(.ok) }
                return HTTPClient.Response(.found, headers: [.location: "/b"])
            }, JSONCoder(), .seconds(30), 0, 1, nil)
        #expect(try await http.stream(.init(.get, "http://nest.example/a")).status == .ok)
        #expect(pauses.withLock { $0 } == [.seconds(30), .seconds(30)])
    }

    @Test func `a pause in a stream is limited by its own time, not by what the call has left`() async throws {
        let server = try CannedServer { peer in
            _ = peer.readHead()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
            // It sends nothing more, and waits until the client closes.
            _ = peer.readToEnd()
        }
        let request = HTTPClient.Request(.get, "http://127.0.0.1:\(server.port)/")
        let settings = TransferSettings(
            allowed: .all, connectionsPerHost: 1, certificateAuthorities: nil, proxy: nil)
        let exchange = TransferExchange(request, time: .seconds(3600), pause: .zero, limit: 0, streams: true)
        let response = try await exchange.run(on: EventLoop.background.get(), TransferPools(settings))
        let failure = await #expect(throws: HTTPClient.Failure.self) { try await response.body.collect(upTo: 10) }
        #expect(failure?.kind == .timedOut)
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

    @Test(arguments: ["3600", "Thu, 31 Dec 2099 23:59:59 GMT"])
    func `a server that wants a longer pause than the policy allows is not asked again`(pause: String) async throws {
        let count = Mutex(0)
        let server = try await TestHTTPServer { routes in
            routes.get(Path("/")) { _ in
                count.withLock { $0 += 1 }
                return Response(.tooManyRequests, headers: [.retryAfter: pause])
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

    @Test func `an address that is refused does not hide that the other one is down`() async {
        // The name stands for an address of each version.
        let http = HTTPClient(allows: .only(\.isVersion4))
        #expect(await failure { try await http.get("http://localhost:1/") } == .unreachable)
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

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// The kind of the failure with which a call ends.
func failure(_ body: () async throws -> HTTPClient.Response) async -> HTTPClient.Failure.Kind? {
    await #expect(throws: HTTPClient.Failure.self) { _ = try await body() }?.kind
}
