import Glibc
import RoostTesting
import Testing

@testable import Roost

/// Responses that are ready when nobody waits for them any more.
@Suite("Responses that come too late", .timeLimit(.minutes(5)))
struct LateAnswerTests {
    private let entered = Latch()
    private let latch = Latch()

    private func server(_ declare: @escaping (Routes) -> Void) async throws -> InProcessServer {
        let (entered, latch) = (entered, latch)
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/held")) { _ in
                entered.open()
                await latch.wait()
                return "a secret"
            }
            declare(routes)
        }
        return try await InProcessServer(application.configuration, application, logger: application.logger)
    }

    private func connect(to server: InProcessServer) async throws -> HTTPConnection {
        HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
    }

    @Test func `a response for a client that has gone reaches nobody else`() async throws {
        let server = try await server { _ in }
        let gone = try await connect(to: server)
        try await gone.send(get("/") + get("/held"))
        await entered.wait()
        // With an unread response this is a reset, which the server notices while the handler waits.
        gone.close()
        while await server.connectionCount() > 0 { try await turn() }
        latch.open()
        for _ in 0..<3 {
            let other = try await connect(to: server)
            try await other.send(get("/"))
            let text = try await other.readResponse().text
            #expect(text == "ok")
        }
    }

    @Test func `a chunk of a stream for a client that has gone reaches nobody else`() async throws {
        let (entered, latch) = (entered, latch)
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/stream")) { _ in
                let stream = AsyncThrowingStream<[UInt8], any Error> {
                    entered.open()
                    // It ignores its cancellation.
                    await Task { await latch.wait() }.value
                    return Array("a secret".utf8)
                }
                return Response(body: Body(stream: stream))
            }
        }
        let configuration = application.configuration
        let loops = try EventLoopGroup(count: 1, pool: configuration.blockingPool)
        defer { loops.abandon() }
        let loop = loops.loops[0]
        let worker = LoopBound(
            Worker(
                loop,
                application,
                configuration,
                application.logger,
                configuration.memoryBudget,
                configuration.clientBudgets()
            ),
            to: loop
        )

        signal(SIGPIPE, SIG_IGN)
        let (goneSocket, number) = try Self.pair(from: 500)
        await worker.run { $0.group.add(number, from: .local) }
        let gone = HTTPConnection(descriptor: goneSocket, host: "a", timeout: .seconds(60))
        try await gone.send(get("/stream"))
        await entered.wait()
        // With an unread head this is a reset.
        gone.close()
        while await worker.run({ $0.group.count }) ?? 0 > 0 { try await turn() }

        let (otherSocket, sameNumber) = try Self.pair(from: number)
        await worker.run { $0.group.add(sameNumber, from: .local) }
        let other = HTTPConnection(descriptor: otherSocket, host: "a", timeout: .seconds(60))
        latch.open()
        for _ in 0..<3 {
            try await other.send(get("/"))
            #expect(try await other.readResponse().text == "ok")
        }
        try other.shutdownWrite()
        #expect(try await other.readToEnd().isEmpty)
    }

    /// Two connected sockets, the client's and the server's. The server's is the first free number from `lowest` on,
    /// which no other test uses.
    private static func pair(from lowest: Int32) throws -> (client: Int32, server: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        defer { close(ends[1]) }
        let server = fcntl(ends[1], F_DUPFD_CLOEXEC, lowest)
        try #require(server >= lowest)
        return (ends[0], server)
    }
}
