import Glibc
import RoostTesting
import Testing

@testable import Roost

/// Tasks that serve one connection after the other.
@Suite("Tasks that are used again", .timeLimit(.minutes(5)))
struct ServingTaskTests {
    private let entered = Latch()
    private let latch = Latch()
    private let ended = Latch()

    private func server() async throws -> InProcessServer {
        let (entered, latch, ended) = (entered, latch, ended)
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/yields")) { _ in
                await Task.yield()
                return "\(Task.isCancelled)"
            }
            routes.get(Path("/holds")) { _ in
                entered.open()
                await latch.wait()
                return "\(Task.isCancelled)"
            }
            routes.get(Path("/sleeps")) { _ in
                entered.open()
                defer { ended.open() }
                try await EventLoop.current?.sleep(for: .seconds(3600))
                return "nobody reads this"
            }
        }
        return try await InProcessServer(application.configuration, application, logger: application.logger)
    }

    private func connection(to server: InProcessServer) async throws -> HTTPConnection {
        HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
    }

    @Test func `a client that leaves does not cancel what its task now does for another one`() async throws {
        let server = try await server()
        let descriptor = try await server.connect()
        let first = HTTPConnection(descriptor: descriptor, host: "a", timeout: .seconds(60), server: server)
        try await first.send(get("/yields"))
        var byte: UInt8 = 0
        while recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) != 1 { try await turn() }
        let second = try await connection(to: server)
        try await second.send(get("/holds"))
        await entered.wait()
        // With an unread response this is a reset, which cancels the connection's task.
        first.close()
        while await server.connectionCount() > 1 { try await turn() }
        latch.open()
        #expect(try await second.readResponse().text == "false")
    }

    @Test func `a task that has been cancelled is not used again`() async throws {
        let server = try await server()
        let first = try await connection(to: server)
        try await first.send(get("/yields") + get("/sleeps"))
        await entered.wait()
        // With an unread response this is a reset.
        first.close()
        await ended.wait()
        while await server.connectionCount() > 0 { try await turn() }
        for _ in 0..<2 {
            let second = try await connection(to: server)
            try await second.send(get("/yields"))
            #expect(try await second.readResponse().text == "false")
        }
    }

    @Test func `tasks that wait for work end with their loop, and it is let go`() async throws {
        let client = try await Self.clientOfEndedLoop()
        defer { close(client.descriptor) }
        #expect(client.loop == nil)
    }

    /// Lets a task of a loop wait for work, and ends the loop.
    private static func clientOfEndedLoop() async throws -> Client {
        let loop = try EventLoop()
        let thread = try LoopThread(name: "test") { loop.run() }
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/")) { _ in
                await Task.yield()
                return "ok"
            }
        }
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let (client, end) = (ends[0], ends[1])
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        let request = get("/")
        #expect(write(client, request, request.utf8.count) == request.utf8.count)
        loop.execute {
            let group = ConnectionGroup(of: application, on: loop)
            group.add(end, from: .local)
        }
        // It closes the connection once it has responded, because there can be no further request.
        shutdown(client, Int32(SHUT_WR))
        var response: [UInt8] = []
        var byte: UInt8 = 0
        while read(client, &byte, 1) == 1 { response.append(byte) }
        #expect(String(decoding: response, as: UTF8.self).hasSuffix("ok"))
        loop.stop()
        thread.join()
        return Client(descriptor: client, loop: loop)
    }

    private struct Client {
        let descriptor: Int32
        weak var loop: EventLoop?
    }
}
