import COpenSSL
import Glibc
import Processes
import RoostTesting
import Testing

@testable import Roost
@testable import RoostTLS

/// A client of TLS 1.3 on a connected socket, which can ask for new keys (RFC 8446 §4.6.3): each call blocks a thread
/// of its own.
///
/// `@unchecked Sendable`: a test makes one call after the other.
final class KeyUpdateClient: @unchecked Sendable {
    private let context: OpaquePointer?
    private let ssl: OpaquePointer?
    private let socket: Int32

    /// - Parameter groups: The key exchanges that it knows; it begins with the first.
    init(_ socket: Int32, groups: String = "X25519") {
        self.socket = socket
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) & ~O_NONBLOCK)
        context = SSL_CTX_new(TLS_client_method())
        ssl_ctx_groups(context, groups)
        ssl = SSL_new(context)
        SSL_set_fd(ssl, socket)
        SSL_set_connect_state(ssl)
    }

    deinit {
        SSL_free(ssl)
        SSL_CTX_free(context)
        close(socket)
    }

    /// Sends a text, after a handshake if there was none.
    func send(_ text: String, withNewKeys: Bool = false) async throws {
        try await BlockingThread.run { [self] in
            ERR_clear_error()
            let bytes = Array(text.utf8)
            if withNewKeys, SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) != 1 { throw CancellationError() }
            guard SSL_write(ssl, bytes, Int32(bytes.count)) > 0 else { throw CancellationError() }
        }
    }

    /// Reads a number of bytes, or to the end.
    func read(count: Int = .max) async throws -> [UInt8] {
        try await BlockingThread.run { [self] in
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 16_384)
            while bytes.count < count {
                ERR_clear_error()
                let read = SSL_read(ssl, &piece, Int32(min(piece.count, count - bytes.count)))
                guard read > 0 else { break }
                bytes += piece.prefix(Int(read))
            }
            return bytes
        }
    }
}

@Suite("Clients that ask for new keys", .timeLimit(.minutes(5)))
struct KeyUpdateTests {
    private static let content = [UInt8]((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) })

    @Test(arguments: ["/bytes", "/file"])
    func `one that does so while a response is on its way gets all of it, and the next`(path: String) async throws {
        let folder = try CertificateFolder()
        let file = folder.write("file", Self.content)
        let site = try await TLSSite(routes: { routes in
            routes.get(Path("/bytes")) { _ in Response(.ok, "application/octet-stream", Body(Self.content)) }
            routes.get(Path("/file")) { _ in try Response.file(file) }
            routes.get(Path("/next")) { _ in "the next one" }
        })
        let client = KeyUpdateClient(try await site.server.connect(from: .loopback, through: site.tls))
        try await client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while await site.server.unsentCount() == 0 { try await turn() }
        try await client.send(
            "GET /next HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", withNewKeys: true)
        // Mostly, the server looks at it before it can go on. The next test is certain to meet that case.
        for _ in 0..<20 { _ = await site.server.connectionCount() }
        let bytes = try await client.read()
        #expect(bytes.firstRange(of: Self.content) != nil)
        #expect(bytes.suffix(12).elementsEqual("the next one".utf8))
        withExtendedLifetime(folder) {}
    }

    @Test func `nothing is read in the middle of a record, and the rest is told of afterwards`() async throws {
        let site = try await TLSSite()
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let (own, other) = (ends[0], ends[1])
        defer { close(own) }
        let client = KeyUpdateClient(other)
        let transport = try #require(TLSTransport(own, site.tls.store, FilePieces()))
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { memory.deallocate() }
        func text() -> String? {
            guard case .bytes(let count) = transport.read(into: memory) else { return nil }
            return String(decoding: memory.prefix(count), as: UTF8.self)
        }
        func write(from start: Int) -> Int {
            Self.content[start...].withUnsafeBufferPointer {
                guard case .bytes(let count) = transport.write($0) else { return 0 }
                return count
            }
        }

        async let greeting: Void = client.send("hello")
        var heard = text()
        while heard == nil {
            try await turn()
            heard = text()
        }
        #expect(heard == "hello")
        try await greeting

        var written = 0
        while case let count = write(from: written), count > 0 { written += count }
        try #require(written < Self.content.count)
        try await client.send("again", withNewKeys: true)
        guard case .wouldBlock = transport.read(into: memory) else {
            Issue.record("It has been read.")
            return
        }
        #expect(transport.hasToWrite && !transport.hasMore)

        async let received = client.read(count: Self.content.count)
        while written < Self.content.count {
            try await turn()
            written += write(from: written)
        }
        #expect(try await received == Self.content)
        #expect(transport.hasMore)
        #expect(text() == "again")
        #expect(!transport.hasToWrite)
    }

    @Test func `after the end, nothing waits for the rest of a record`() async throws {
        let site = try await TLSSite()
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let own = ends[0]
        defer { close(own) }
        let client = KeyUpdateClient(ends[1])
        let transport = try #require(TLSTransport(own, site.tls.store, FilePieces()))
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { memory.deallocate() }
        func text() -> String? {
            guard case .bytes(let count) = transport.read(into: memory) else { return nil }
            return String(decoding: memory.prefix(count), as: UTF8.self)
        }
        async let greeting: Void = client.send("hello")
        while text() == nil { try await turn() }
        try await greeting
        var written = 0
        while case .bytes(let count) = Self.content[written...].withUnsafeBufferPointer(transport.write) {
            written += count
        }
        try #require(written < Self.content.count)
        transport.end()
        try await client.send("again")
        #expect(text() == "again")
        #expect(!transport.hasToWrite)
    }
}
