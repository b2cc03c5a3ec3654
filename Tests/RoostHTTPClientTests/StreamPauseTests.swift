import HTTPTypes
import Processes
import Roost
import RoostTesting
import Synchronization
import Testing

@testable import RoostHTTPClient

/// The time that a server has for each pause in a body that is read as it comes.
@Suite("Pauses in streams of HTTPClient", .timeLimit(.minutes(2)))
struct StreamPauseTests {
    private static func exchange(_ request: HTTPClient.Request) -> (TransferExchange, TransferPools) {
        let settings = TransferSettings(
            allowed: .all, connectionsPerHost: 1, certificateAuthorities: nil, proxy: nil)
        return (TransferExchange(request, time: .seconds(3600), limit: 0, streams: true), TransferPools(settings))
    }

    /// The end of the pause that the server may make; nil while it waits for this program.
    private static func deadline(of exchange: TransferExchange) async throws -> ContinuousClock.Instant? {
        try Task.checkCancellation()
        let transfer = try #require(exchange.state.withLock { $0.transfer })
        let deadline = await transfer.run { $0.deadline }
        return deadline.flatMap { $0 }
    }

    @Test func `each piece that comes begins a new pause, however small it is`() async throws {
        let (pieces, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let server = try await TestHTTPServer { routes in
            routes.get(Path("/")) { _ in Response(body: Body(stream: pieces)) }
        }
        source.yield([0])
        let (exchange, pools) = Self.exchange(.init(.get, server.url()))
        let response = try await exchange.run(on: EventLoop.background.get(), pools)
        var body = response.body.makeAsyncIterator()
        #expect(try await body.next() == [0])
        var last = try #require(try await Self.deadline(of: exchange))
        for piece in 1...3 as ClosedRange<UInt8> {
            source.yield([piece])
            #expect(try await body.next() == [piece])
            let next = try #require(try await Self.deadline(of: exchange))
            #expect(next > last)
            last = next
        }
        source.finish()
        #expect(try await body.next() == nil)
    }

    @Test func `a reader that takes its time does not use up the server's`() async throws {
        let server = try CannedServer { peer in
            _ = peer.readHead()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1048576\r\n\r\n" + String(repeating: "a", count: 1 << 20))
        }
        let (exchange, pools) = Self.exchange(.init(.get, "http://127.0.0.1:\(server.port)/"))
        let response = try await exchange.run(on: EventLoop.background.get(), pools)
        while try await Self.deadline(of: exchange) != nil { try await turn() }
        #expect(try await response.body.collect(upTo: 1 << 20).bytes.count == 1 << 20)
    }

    @Test func `a source that takes its time does not use up the server's, which begins when all is sent`()
        async throws
    {
        let server = try CannedServer { peer in
            _ = peer.readHead()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
            // It reads everything, and says nothing more.
            _ = peer.readToEnd()
        }
        let (pieces, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let body = Body(stream: pieces, length: 3)
        let (exchange, pools) = Self.exchange(.init(.put, "http://127.0.0.1:\(server.port)/", body: body))
        let response = try await exchange.run(on: EventLoop.background.get(), pools)
        #expect(try await Self.deadline(of: exchange) == nil)
        source.yield(Array("egg".utf8))
        source.finish()
        while try await Self.deadline(of: exchange) == nil { try await turn() }
        withExtendedLifetime(response) {}
    }

    /// libcurl sends nothing more then, and would wait for the source all the same.
    @Test func `a refusal comes whole, though the source of the body is silent`() async throws {
        let server = try CannedServer { peer in
            _ = peer.readHead()
            peer.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nabc")
            _ = peer.readToEnd()
        }
        let (pieces, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let url = "http://127.0.0.1:\(server.port)/"
        let (exchange, pools) = Self.exchange(.init(.put, url, body: Body(stream: pieces)))
        let response = try await exchange.run(on: EventLoop.background.get(), pools)
        #expect(try await response.body.collect(upTo: 10).bytes == Array("abc".utf8))
        source.finish()
    }
}
