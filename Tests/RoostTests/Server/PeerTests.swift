import Glibc
import RoostTesting
import Testing

@testable import Roost

@Suite("Where a connection comes from", .timeLimit(.minutes(5)))
struct PeerTests {
    private static func routes(_ routes: Routes) {
        routes.get(Path("/peer")) { request in "\(request.peer)" }
        routes.get(Path("/later")) { request in
            await Task.yield()
            return "\(request.peer)"
        }
    }

    /// Some sandboxes have no IPv6, and others have it without an address of this machine.
    private static let hasVersion6: Bool = {
        guard let file = fopen("/proc/net/if_inet6", "r") else { return false }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            if strncmp(line, "00000000000000000000000000000001 ", 33) == 0 { return true }
        }
        return false
    }()

    private static let places =
        [("127.0.0.1", "127.0.0.1", "127.0.0.1:")]
        + (hasVersion6 ? [("::1", "::1", "[::1]:"), ("::", "127.0.0.1", "127.0.0.1:")] : [])

    @Test(arguments: places)
    func `over TCP it has the client's address and port`(host: String, asked: String, begins: String) async throws {
        var configuration = ServerConfiguration()
        configuration.host = host
        configuration.port = 0
        configuration.workers = 1
        configuration.headTimeout = .seconds(3600)  // a busy machine may take its time between connecting and sending
        let application = try Probe.application(configuration, Self.routes)
        let server = try await Server.listen(configuration, application, logger: application.logger)
        let running = Task { try await server.run() }
        let clients = try await [
            HTTPConnection.connect(host: asked, port: server.port),
            HTTPConnection.connect(host: asked, port: server.port),
        ]
        var peers: [String] = []
        for client in clients {
            try await client.send(get("/peer") + get("/a/../later"))
            peers.append(try await client.readResponse().text)
            #expect(try await client.readResponse().text == peers.last)
        }
        server.shutdown()
        try await running.value
        #expect(peers.allSatisfy { $0.hasPrefix(begins) }, "\(peers)")
        #expect(Set(peers).count == 2)
    }

    @Test func `its port is in the order in which people write it`() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let loopback = try #require(SocketAddress.resolve(host: "127.0.0.1", port: 0).first)
        #expect(loopback.bind(descriptor) == 0)
        let bound = try SocketAddress(boundTo: descriptor)
        #expect("\(bound.peer)" == "\(bound)" && bound.port != 0)
    }

    @Test(arguments: [PeerAddress.loopback, .local, .tcp(IPAddress("2001:db8::1")!, port: 7)])
    func `a test says where its client is`(peer: PeerAddress) async throws {
        let application = try Application(middleware: [], routes: Self.routes)
        let client = TestClient(application, peer: peer)
        #expect(try await client.get("/peer").text == "\(peer)")
        #expect(try await client.get("/later").text == "\(peer)")
    }
}
