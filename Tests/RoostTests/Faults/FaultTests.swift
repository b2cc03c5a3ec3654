import Glibc
import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// Clients that leave, close one side, or do not read, over TCP. The other faults are tested on the site (`AppTests`).
@Suite("Faults", .serialized, .timeLimit(.minutes(5)))
struct FaultTests {
    private func serving(
        _ declare: @escaping (Routes) -> Void,
        _ body: (Int) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.workers = 1
        configuration.headTimeout = .seconds(3600)  // a busy machine may take its time between connecting and sending
        let application = try Probe.application(configuration, declare)
        let server = try await Server.listen(configuration, application, logger: application.logger)
        let running = Task { try await server.run() }
        do {
            try await body(server.port)
        } catch {
            server.shutdown()
            try await running.value
            throw error
        }
        server.shutdown()
        try await running.value
    }

    @Test func `when the client goes away, the handler's task is cancelled`() async throws {
        let (begun, cancelled) = (Latch(), Latch())
        let declare: (Routes) -> Void = { routes in
            routes.get(Path("/")) { _ in
                begun.open()
                do {
                    try await EventLoop.current?.sleep(for: .seconds(3600))
                } catch is CancellationError {
                    cancelled.open()
                }
                return "nobody reads this"
            }
        }
        try await serving(declare) { port in
            let connection = try await HTTPConnection.connect(port: port)
            try await connection.send(get("/"))
            await begun.wait()
            connection.reset()
            await cancelled.wait()
        }
    }

    @Test func `RST in mid-response hurts nobody else`() async throws {
        let large = [UInt8](repeating: 65, count: 4_000_000)
        let declare: (Routes) -> Void = { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/large")) { _ in Response(.ok, "text/plain", Body(large)) }
        }
        try await serving(declare) { port in
            for _ in 0..<200 {
                let connection = try await HTTPConnection.connect(port: port, receiveBufferSize: 4096)
                try await connection.send(get("/large"))
                _ = try await connection.receive()
                connection.reset()
            }
            #expect(try await WireClient(port: port).get("/").text == "ok")
            print("fault suite: RST in mid-response: 200 connections, then answered")
        }
    }

    @Test func `after a half-close all responses still come`() async throws {
        let declare: (Routes) -> Void = { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/later")) { _ in
                await Task.yield()
                return "later"
            }
        }
        try await serving(declare) { port in
            let connection = try await HTTPConnection.connect(port: port)
            try await connection.send(String(repeating: get("/") + get("/later"), count: 500))
            try connection.shutdownWrite()
            for _ in 0..<500 {
                #expect(try await connection.readResponse().text == "ok")
                #expect(try await connection.readResponse().text == "later")
            }
            #expect(try await connection.readToEnd().isEmpty)
            print("fault suite: half-close: 1000 pipelined requests, 1000 answered")
        }
    }

    @Test func `a producer that is faster than its reader is held back, and ends with it`() async throws {
        let source = Endless()
        let declare: (Routes) -> Void = { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/endless")) { _ in Response(.ok, "text/plain", Body(stream: source)) }
        }
        try await serving(declare) { port in
            let connection = try await HTTPConnection.connect(port: port, receiveBufferSize: 4096)
            try await connection.send(get("/endless"))
            _ = try await connection.receive()
            // Until it stands still while others are served.
            var before = -1
            while before != source.produced {
                before = source.produced
                for _ in 0..<20 { #expect(try await WireClient(port: port).get("/").text == "ok") }
            }
            print("fault suite: a fast producer: \(before) bytes made for a client that does not read")
            #expect(before < 16_000_000)
            connection.reset()
            await source.ended.wait()
        }
    }
}

/// A body that never ends and is always ready.
private final class Endless: AsyncSequence, Sendable {
    private let count = Atomic(0)
    let ended = Latch()

    var produced: Int { count.load(ordering: .relaxed) }

    final class Iterator: AsyncIteratorProtocol {
        let source: Endless

        init(_ source: Endless) { self.source = source }

        deinit { source.ended.open() }

        func next() async throws -> [UInt8]? {
            source.count.add(16_384, ordering: .relaxed)
            return [UInt8](repeating: 65, count: 16_384)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }
}
