import RoostTesting
import Testing

@testable import Roost

/// Errors of a cancelled handler whose client has gone: nobody's mistake, and nobody's response.
@Suite("Cancelled handlers", .timeLimit(.minutes(5)))
struct CancellationTests {
    /// Tells when everything inside it is over.
    private struct Outermost: Middleware {
        let ended: Latch

        func respond(to request: Request, next: Next) async throws -> Response {
            defer { if request.path != "/" { ended.open() } }
            return try await next(request)
        }
    }

    private let log = LogLines()
    private let entered = Latch()
    private let ended = Latch()

    @Test(arguments: ["/handler", "/stream"])
    func `what they throw is neither logged nor made a 500`(path: String) async throws {
        let (entered, ended) = (entered, ended)
        let sleep: @Sendable () async throws -> Void = {
            entered.open()
            try await EventLoop.current?.sleep(for: .seconds(3600))
        }
        let middleware =
            [Outermost(ended: path == "/handler" ? ended : Latch())]
            + Application.standardMiddleware(logger: log.logger)
        let application = try Application(logger: log.logger, middleware: middleware) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/handler")) { _ in
                try await sleep()
                return "nobody reads this"
            }
            routes.get(Path("/stream")) { _ in
                let stream = AsyncThrowingStream<[UInt8], any Error> {
                    defer { ended.open() }
                    try await sleep()
                    return nil
                }
                return Response(body: Body(stream: stream))
            }
        }
        let server = try await InProcessServer(application.configuration, application, logger: log.logger)
        let connection = HTTPConnection(
            descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
        try await connection.send(get("/") + get(path))
        await entered.wait()
        let before = log.all
        // With an unread response this is a reset.
        connection.close()
        await ended.wait()
        // A turn later its task has ended, too.
        #expect(await server.connectionCount() == 0)
        #expect(log.all == before)
    }
}
