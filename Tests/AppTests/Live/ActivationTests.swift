import Glibc
import HTTPTypes
import RoostTesting
import Testing

/// The site on a socket that it was started with (`LISTEN_FDS`, `sd_listen_fds(3)`).
@Suite("Socket activation", .timeLimit(.minutes(10)))
struct ActivationTests {
    /// A listening socket of this process, like a supervisor's.
    private final class Supervisor: Sendable {
        let socket: Int32
        let port: Int

        /// - Parameter host: Its address as a number, 127.0.0.1 by default.
        init(host: UInt32 = 0x7F00_0001) throws {
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = host.bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isListening = withUnsafeMutablePointer(to: &address) { [socket] pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(socket, address, size) == 0 && listen(socket, 1024) == 0
                        && getsockname(socket, address, &size) == 0
                }
            }
            try #require(isListening)
            port = Int(UInt16(bigEndian: address.sin_port))
        }

        deinit { close(socket) }

        /// Starts the site with the socket as descriptor 3.
        /// - Parameter pid: The process that the socket is said to be for, as text in the shell that becomes the site.
        func start(pid: String = "$$", _ variables: [String: String] = [:]) async throws -> SiteProcess {
            let shell = ["sh", "-c", "LISTEN_PID=\(pid) exec \"$0\" \"$@\" 2>/dev/null"]
            let variables = ["LISTEN_FDS": "1", "WORKERS": "2"].merging(variables) { $1 }
            return try await SiteProcess.start(variables, under: shell, inheriting: socket)
        }
    }

    private static let request = Array("GET /users HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    private static let lastRequest = Array("GET /users HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)

    @Test func `the site serves the socket, and a client that connects after its end is served by the next one`()
        async throws
    {
        let supervisor = try Supervisor()
        let early = try await HTTPConnection.connect(port: supervisor.port)
        try await early.send(Self.lastRequest)
        let first = try await supervisor.start()
        #expect(first.port == supervisor.port)
        #expect(try await early.readResponse().text == UserControllerTests.twoUsers)
        #expect(try await WireClient(port: supervisor.port).get("/users").text == UserControllerTests.twoUsers)
        #expect(try await first.terminate() == "0")
        let late = try await HTTPConnection.connect(port: supervisor.port)
        try await late.send(Self.lastRequest)
        let second = try await supervisor.start()
        #expect(try await late.readResponse().text == UserControllerTests.twoUsers)
        #expect(try await second.terminate() == "0")
    }

    @Test(arguments: [(UInt32(0x7F00_0001), "0.0.0.0", true), (0, "127.0.0.1", false)])
    func `the demo account is there where this machine alone reaches the socket, whatever HOST is`(
        address: UInt32, host: String, isThere: Bool
    ) async throws {
        let supervisor = try Supervisor(host: address)
        let site = try await supervisor.start(["HOST": host, "DATABASE_URL": "memory:"])
        #expect(try await WireClient(port: site.port).get("/login").text.contains("123456") == isThere)
        #expect(try await site.terminate() == "0")
    }

    @Test func `a socket with the port for TLS is the one of TLS`() async throws {
        let supervisor = try Supervisor()
        let site = try await supervisor.start([
            "TLS": "auto", "HOST_NAMES": "a.test", "ACME_DIRECTORY": "https://127.0.0.1:1/",
            "TLS_PORT": "\(supervisor.port)", "ROOST_ENV": "development",
        ])
        #expect(site.output.contains("Roost answers at https://127.0.0.1:\(supervisor.port)"))
        #expect(try await site.terminate() == "0")
    }

    @Test func `a port of TLS that others reach is told beside a socket of this machine`() async throws {
        let supervisor = try Supervisor()
        let variables = [
            "LISTEN_FDS": "1", "HOST": "0.0.0.0", "TLS": "auto", "HOST_NAMES": "a.test",
            "ACME_DIRECTORY": "https://127.0.0.1:1/", "TLS_PORT": "0", "ROOST_ENV": "development",
        ]
        let shell = ["sh", "-c", "LISTEN_PID=$$ exec \"$0\" \"$@\""]
        let site = try await SiteProcess.start(variables, under: shell, inheriting: supervisor.socket)
        site.signal(SIGTERM)
        let end = try await site.ending()
        #expect(end.code == "0")
        #expect((site.output + end.output).contains("A development server is open to the network"))
    }

    @Test func `a socket that is meant for another process is left alone`() async throws {
        let supervisor = try Supervisor()
        let site = try await supervisor.start(pid: "1")
        #expect(site.port != supervisor.port)
        #expect(try await WireClient(port: site.port).get("/users").status == .ok)
        #expect(try await site.terminate() == "0")
    }

    @Test func `a restart loses no connection: the new process serves beside the old one until that has ended`()
        async throws
    {
        let supervisor = try Supervisor()
        let old = try await supervisor.start()
        let new = try await supervisor.start()
        let port = supervisor.port
        let (answers, late, lost, refused, resets) = try await BlockingThread.run {
            let swarm = Swarm(port: port)
            swarm.next = { _ in Self.request }
            for _ in 0..<30 { swarm.add(Self.request) }
            var isSignalled = false
            var late = 0
            try swarm.run { swarm in
                if !isSignalled, swarm.answers > 1_000 {
                    old.signal(SIGTERM)
                    isSignalled = true
                }
                let hasEnded = isSignalled && old.residentSize == 0
                if hasEnded, late >= 200 { swarm.next = nil }
                if late < 200, swarm.waiting < 100 {
                    for _ in 0..<5 { swarm.add(Self.lastRequest) }
                    if hasEnded { late += 5 }
                }
                return late >= 200 && swarm.waiting == 0
            }
            let dealt = swarm.clients.filter { !$0.hasDallied }
            return (
                swarm.answers, late, dealt.count(where: \.isWaiting), dealt.count { $0.end == .refused },
                dealt.count { $0.end == .reset }
            )
        }
        print("restart on one socket: \(answers) answered, \(lost) lost, \(refused) refused, \(resets) reset")
        #expect(late == 200)
        #expect((lost, refused, resets) == (0, 0, 0))
        #expect(try await old.exitCode() == "0")
        #expect(try await new.terminate() == "0")
    }
}
