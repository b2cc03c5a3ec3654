import Roost
import RoostHTTPClient
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
