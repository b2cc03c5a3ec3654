import Processes
import Roost
import RoostHTTPClient
import RoostTesting
import Testing

/// Certificates, and HTTP/2, with nginx.
@Suite(
    "TLS of HTTPClient", .timeLimit(.minutes(2)),
    .enabled(if: SecureServer.isInstalled, "nginx or openssl is not installed: scripts/test --all installs them"))
struct TLSTests {
    @Test func `a certificate of nobody whom the system knows is refused`() async throws {
        let server = try await SecureServer()
        let failure = await #expect(throws: HTTPClient.Failure.self) { try await HTTPClient().get(server.url()) }
        #expect(failure?.kind == .untrusted)
        try await server.stop()
    }

    @Test func `one of an authority that the program names is trusted, for its own host only`() async throws {
        let server = try await SecureServer()
        let http = HTTPClient(certificateAuthorities: server.authority)
        #expect(try await http.get(server.url()).status == .ok)
        let other = server.url(host: "127.0.0.1")
        let failure = await #expect(throws: HTTPClient.Failure.self) { try await http.get(other) }
        #expect(failure?.kind == .untrusted)
        try await server.stop()
    }

    @Test func `calls at the same time share a connection of HTTP/2`() async throws {
        let server = try await SecureServer()
        let http = HTTPClient(certificateAuthorities: server.authority)
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await http.get(server.url()).text } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(texts.count == 1)
        #expect(texts.first?.hasPrefix("HTTP/2.0 ") == true)
        try await server.stop()
    }

    @Test(arguments: [false, true])
    func `a connection on which a call has timed out gets no others, also if one is still on it`(
        isBusy: Bool
    ) async throws {
        let arrived = Latch()
        let upstream = try CannedServer { peer in
            _ = peer.readHead()
            arrived.open()
            // It never answers, and waits until the client leaves.
            _ = peer.readToEnd()
        }
        let server = try await SecureServer(upstream: upstream.port)
        let http = HTTPClient(certificateAuthorities: server.authority)
        var copy = http
        copy.timeout = .milliseconds(50)
        let quick = copy
        let first = try await http.get(server.url()).text
        let slow = isBusy ? Task { try await http.get(server.url("/slow")) } : nil
        if isBusy { await arrived.wait() }
        #expect(await failure { try await quick.get(server.url("/slow")) } == .timedOut)
        let second = try await http.get(server.url()).text
        #expect(first.hasPrefix("HTTP/2.0 ") && second.hasPrefix("HTTP/2.0 ") && first != second)
        slow?.cancel()
        _ = await slow?.result
        // The first one has closed, and the second one is kept.
        #expect(try await http.get(server.url()).text == second)
        try await server.stop()
        withExtendedLifetime(upstream) {}
    }

    @Test func `what may not be done twice does not share a connection, unless its policy allows it`() async throws {
        let server = try await SecureServer()
        let http = HTTPClient(certificateAuthorities: server.authority)
        #expect(try await http.get(server.url()).text.hasPrefix("HTTP/2.0 "))
        #expect(try await http.post(server.url()).text.hasPrefix("HTTP/1.1 "))
        let repeating = HTTPClient(
            certificateAuthorities: server.authority, retries: RetryPolicy(methods: [.post]))
        #expect(try await repeating.post(server.url()).text.hasPrefix("HTTP/2.0 "))
        try await server.stop()
    }

    @Test func `a large body comes over HTTP/2 as slowly as it is read`() async throws {
        let server = try await SecureServer()
        let http = HTTPClient(certificateAuthorities: server.authority)
        let response = try await http.stream(.init(.get, server.url("/large")))
        var count = 0
        for try await piece in response.body {
            count += piece.count
            await Task.yield()
        }
        #expect(count == 3_000_000)
        try await server.stop()
    }
}
