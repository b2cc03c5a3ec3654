import Glibc
import RoostTesting
import Testing

@testable import Roost

/// Bodies to HTTP/1.0 without a length, over TCP: an orderly end of the connection would say that they are whole.
@Suite("Bodies to HTTP 1.0 that are cut off", .timeLimit(.minutes(5)))
struct CutOffBodyTests {
    private struct Oops: Error {}

    /// Passes to a body a client that has read the beginning of a response, the connections of its server, and a latch
    /// that makes the handler of the event stream fail.
    private func withResponse(
        _ path: String, _ body: (HTTPConnection, LoopBound<ConnectionGroup>, Latch) async throws -> Void
    ) async throws {
        let failure = Latch()
        let (chunks, chunk) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        chunk.yield(Array("abc".utf8))
        let application = try Application(logger: LogLines().logger, middleware: []) { routes in
            routes.get(Path("/stream")) { _ in Response(body: Body(stream: chunks)) }
            routes.events(Path("/events")) { _, events in
                try await events.send(ServerSentEvent("abc"))
                await failure.wait()
                throw Oops()
            }
        }
        let loop = try EventLoop()
        let group = LoopBound(ConnectionGroup(of: application, on: loop), to: loop)
        let thread = try LoopThread(name: "cuts off") { loop.run() }
        defer {
            failure.open()
            chunk.finish()
            loop.execute { _ = group.value.closeAll() }
            loop.stop()
            thread.join()
        }
        let address = try #require(try SocketAddress.resolve(host: "127.0.0.1", port: 0).first)
        let (bound, sockets) = try ListeningSocket.bind(address, count: 1, isShared: true)
        defer { for socket in sockets { close(socket) } }
        let client = try await HTTPConnection.connect(port: bound.port)
        var arrival = pollfd(fd: sockets[0], events: Int16(POLLIN), revents: 0)
        try #require(poll(&arrival, 1, 60_000) == 1)
        let (accepted, _) = SocketAddress.accept(from: sockets[0])
        try #require(accepted >= 0)
        await group.run { $0.add(accepted, from: .loopback) }
        try await client.send("GET \(path) HTTP/1.0\r\n\r\n")
        var text = ""
        while !text.contains("abc") { text += String(decoding: try await client.receive(), as: UTF8.self) }
        try await body(client, group, failure)
    }

    @Test(arguments: ["/stream", "/events"])
    func `one that ends with all connections of a server does not look complete`(path: String) async throws {
        try await withResponse(path) { client, group, _ in
            #expect(await group.run { $0.closeAll() } == 1)
            await #expect(throws: WireClientError.self) { try await client.readToEnd() }
        }
    }

    @Test func `nor does an event stream whose handler fails`() async throws {
        try await withResponse("/events") { client, _, failure in
            failure.open()
            await #expect(throws: WireClientError.self) { try await client.readToEnd() }
        }
    }
}
