import Glibc
import RoostTesting
import Testing

@testable import Roost

/// `HOST=unix:/run/roost/site.sock`.
@Suite("A Unix socket", .quietLog, .timeLimit(.minutes(5)))
struct UnixSocketTests {
    private static func withFolder(_ body: (String) async throws -> Void) async throws {
        var template = Array("/tmp/roost-unix-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer {
            for name in ["a.sock", "b.sock"] { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        try await body(folder)
    }

    private static func server(
        _ path: String, _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws -> Server {
        var configuration = ServerConfiguration()
        configuration.host = "unix:" + path
        configuration.workers = 2
        configuration.headTimeout = .seconds(3600)
        change(&configuration)
        let application = try Application(configuration: configuration, middleware: []) { routes in
            routes.get(Path("/who")) { request in
                let client = request.clientAddress?.description ?? "nobody"
                return "\(request.peer) \(client) \(request.scheme)"
            }
        }
        return try await Server.listen(configuration, application, logger: application.logger)
    }

    /// A connection; nil when nobody listens.
    private static func connect(_ path: String) throws -> HTTPConnection? {
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard try #require(SocketAddress(path: path)).connect(client) == 0 else {
            close(client)
            return nil
        }
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        return HTTPConnection(descriptor: client, host: "localhost", timeout: .seconds(60))
    }

    private static let claim = """
        GET /who HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Proto: https\r\n\r\n
        """

    private static func facts(_ path: String) -> stat? {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts : nil
    }

    private static func stop(_ server: Server) async throws {
        server.shutdown()
        try await server.run()
    }

    @Test func `requests come through it, from a proxy that says who the client is`() async throws {
        try await Self.withFolder { folder in
            let server = try await Self.server(folder + "/a.sock") {
                $0.trustedProxies = TrustedProxies("local") ?? .none
            }
            #expect(server.url == "unix:\(folder)/a.sock" && server.port == 0 && server.isLoopback)
            let connection = try #require(try Self.connect(folder + "/a.sock"))
            try await connection.send(Self.claim)
            #expect(try await connection.readResponse().text == "local 192.0.2.7 https")
            try await Self.stop(server)
        }
    }

    @Test func `without trust in local, what a client claims means nothing`() async throws {
        try await Self.withFolder { folder in
            let server = try await Self.server(folder + "/a.sock")
            let connection = try #require(try Self.connect(folder + "/a.sock"))
            try await connection.send(Self.claim)
            #expect(try await connection.readResponse().text == "local nobody http")
            try await Self.stop(server)
        }
    }

    @Test(arguments: [0o660, 0o600, 0o666])
    func `its file has the permissions of the configuration, and is removed at the end`(mode: Int) async throws {
        try await Self.withFolder { folder in
            let server = try await Self.server(folder + "/a.sock") { $0.socketMode = mode }
            #expect(try #require(Self.facts(folder + "/a.sock")).st_mode & 0o777 == mode_t(mode))
            try await Self.stop(server)
            #expect(Self.facts(folder + "/a.sock") == nil)
        }
    }

    @Test func `a file that a crash has left is replaced`() async throws {
        try await Self.withFolder { folder in
            let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            try #require(SocketAddress(path: folder + "/a.sock")?.bind(left) == 0)
            close(left)
            let server = try await Self.server(folder + "/a.sock")
            #expect(try Self.connect(folder + "/a.sock") != nil)
            try await Self.stop(server)
        }
    }

    @Test func `a second server is refused while the first one listens, and leaves its file alone`() async throws {
        try await Self.withFolder { folder in
            let first = try await Self.server(folder + "/a.sock")
            let file = try #require(Self.facts(folder + "/a.sock")).st_ino
            let error = await #expect(throws: StartError.self) { _ = try await Self.server(folder + "/a.sock") }
            #expect(error?.exitCode == 69)
            #expect(
                error?.description
                    == "Cannot listen on unix:\(folder)/a.sock: another program already listens there; stop it, or set "
                    + "HOST to another path.")
            #expect(Self.facts(folder + "/a.sock")?.st_ino == file)
            #expect(try Self.connect(folder + "/a.sock") != nil)
            try await Self.stop(first)
        }
    }

    @Test func `one that ends leaves the file of its successor alone`() async throws {
        try await Self.withFolder { folder in
            let path = folder + "/a.sock"
            let first = try await Self.server(path)
            unlink(path)
            let second = try await Self.server(path)
            try await Self.stop(first)
            #expect(try Self.connect(path) != nil)
            try await Self.stop(second)
            #expect(Self.facts(path) == nil)
        }
    }

    @Test func `a file that is no socket is never removed`() async throws {
        try await Self.withFolder { folder in
            let file = open(folder + "/a.sock", O_CREAT | O_WRONLY, 0o600)
            close(file)
            let error = await #expect(throws: StartError.self) { _ = try await Self.server(folder + "/a.sock") }
            #expect(error?.exitCode == 78 && error?.description.contains("a file that is no socket") == true)
            #expect(Self.facts(folder + "/a.sock") != nil)
            let missing = await #expect(throws: StartError.self) { _ = try await Self.server(folder + "/no/a.sock") }
            #expect(missing?.exitCode == 78, "\(missing?.description ?? "")")
        }
    }

    @Test(arguments: ["unix:", "unix:a.sock", "unix:/" + String(repeating: "a", count: 107), "unix:/a\u{0}b"])
    func `a path that cannot be one is a mistake of the settings`(host: String) {
        let error = #expect(throws: StartError.self) { try ServerConfiguration(environment: ["HOST": host]) }
        #expect(error?.description.hasPrefix("HOST is \"unix:") == true)
        let longest = "unix:/" + String(repeating: "a", count: 106)
        #expect(throws: Never.self) { try ServerConfiguration(environment: ["HOST": longest]) }
    }

    @Test func `it can be inherited, and stays`() async throws {
        try await Self.withFolder { folder in
            let address = try #require(SocketAddress(path: folder + "/a.sock"))
            let listening = try ListeningSocket.bind(unix: address, mode: 0o600, count: 1)
            let (inherited, copies) = try ListeningSocket.inherit(1, from: listening.0[0], count: 2)
            #expect(inherited.path == folder + "/a.sock" && "\(inherited)" == "unix:\(folder)/a.sock")
            for descriptor in copies.joined() { close(descriptor) }
            #expect(try Self.connect(folder + "/a.sock") != nil)
            close(listening.0[0])
        }
    }

    @Test func `only a stream can be inherited`() throws {
        let packets = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
        defer { close(packets) }
        var template = Array("/tmp/roost-unix-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { rmdir(folder) }
        defer { unlink(folder + "/a.sock") }
        try #require(SocketAddress(path: folder + "/a.sock")?.bind(packets) == 0)
        try #require(listen(packets, 1) == 0)
        #expect(throws: StartError.self) { try ListeningSocket.inherit(1, from: packets, count: 1) }
    }

    @Test func `permissions are an octal number`() throws {
        #expect(try ServerConfiguration(environment: ["SOCKET_MODE": "600"]).socketMode == 0o600)
        for text in ["888", "1000", "0x1F", "-1", "rw"] {
            let error = #expect(throws: StartError.self) { try ServerConfiguration(environment: ["SOCKET_MODE": text]) }
            #expect(
                error?.description
                    == "SOCKET_MODE is \"\(text)\"; set it to an octal number from 0 to 777, such as 660.")
        }
    }
}
