import COpenSSL
import Glibc
import Processes
import RoostTesting
import Testing

@testable import RoostTLS

@Suite("The limit on a ClientHello", .timeLimit(.minutes(5)))
struct HelloLimitTests {
    /// A record with some content (RFC 8446 §5.1).
    private static func record(_ content: [UInt8], kind: UInt8 = 22) -> [UInt8] {
        [kind, 3, 1, UInt8(content.count >> 8 & 0xff), UInt8(content.count & 0xff)] + content
    }

    /// A message that announces a length, as far as it has been sent.
    private static func message(_ length: Int, kind: UInt8 = 1, sent: Int = 36) -> [UInt8] {
        let head = [kind] + [16, 8, 0].map { UInt8(length >> $0 & 0xff) }
        return head + [UInt8](repeating: 0x61, count: sent)
    }

    private static let large = message(HelloLimit.size + 1)
    /// A whole one.
    private static let small = record(message(300, sent: 300))
    /// ChangeCipherSpec, which may come between a ClientHello and the next (RFC 8446 appendix D.4).
    private static let change = record([1], kind: 20)

    private static let refused: [[UInt8]] = [
        record(large), large.flatMap { record([$0]) }, record([]) + record(large), small + change + record(large),
        record(message(10, sent: 10) + large),
        record(Array(large.prefix(2))) + change + record(Array(large.dropFirst(2))),
        record(message(HelloLimit.size, sent: 16_000)) + record([UInt8](repeating: 0x61, count: 384) + large),
        small + record(large, kind: 23) + record(large),
    ]
    private static let taken: [[UInt8]] = [
        small, record(message(HelloLimit.size)), small + change + small, small + record(large, kind: 23),
        record(message(60_000, kind: 11)), record(message(1_000, sent: 500)) + record(large, kind: 21),
        record(message(1_000, sent: 500)) + record(large),
    ]

    @Test(arguments: [1, 2, 3, 5, 7, 64, 100_000])
    func `it holds wherever a message begins, and however the bytes come`(piece: Int) {
        func isExceeded(_ bytes: [UInt8]) -> Bool {
            var limit = HelloLimit()
            for start in stride(from: 0, to: bytes.count, by: piece) {
                bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { limit.follow($0) }
            }
            return limit.isExceeded
        }
        #expect(Self.refused.map(isExceeded) == Self.refused.map { _ in true })
        #expect(Self.taken.map(isExceeded) == Self.taken.map { _ in false })
    }

    @Test(arguments: [record(message(131_300)), message(131_300).flatMap { record([$0]) }])
    func `whoever announces a large one is closed at once`(bytes: [UInt8]) async throws {
        let site = try await TLSSite()
        let client = try await site.client()
        _ = write(client.socket, bytes, bytes.count)
        try await site.waits(for: "No TLS with 127.0.0.1: the client announced a ClientHello that is too large.")
        while await site.server.connectionCount() > 0 { try await turn() }
        withExtendedLifetime(client) {}
    }

    @Test(arguments: [(32, true), (72, false)])
    func `a client that offers many protocols is served, up to the limit`(count: Int, isServed: Bool) async throws {
        let site = try await TLSSite()
        let others = (0..<count).map { "\($0)" + String(repeating: "x", count: 250) }
        let client = try await site.client(.init(protocols: others + ["http/1.1"]))
        #expect(try await client.connect() == isServed)
        guard isServed else { return }
        try await client.send(request)
        #expect(try await client.text(until: "true").contains(" 200 OK"))
    }

    @Test func `a client whose key exchange is not the server's sends another ClientHello`() async throws {
        let site = try await TLSSite()
        let socket = try await site.server.connect(from: .loopback, through: site.tls)
        let client = KeyUpdateClient(socket, groups: "P-521:P-256")
        try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(String(decoding: try await client.read(), as: UTF8.self).hasSuffix("https true"))
    }

    @Test func `the certificates of clients have a limit, too`() async throws {
        let own = try TestCertificate("client")
        let site = try await TLSSite { settings, folder in
            settings.clientAuthority = folder.write("ca.pem", own.certificate)
        }
        let ssl = try #require(site.tls.store.first?.makeConnection())
        defer { SSL_free(ssl) }
        #expect(SSL_ctrl(ssl, SSL_CTRL_GET_MAX_CERT_LIST, 0, nil) == 32 * 1024)
    }
}
