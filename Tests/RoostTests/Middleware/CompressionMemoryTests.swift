import RoostTesting
import Testing

@testable import Roost

/// Large bodies that are compressed while their clients take them.
@Suite("Memory of compression", .timeLimit(.minutes(5)))
struct CompressionMemoryTests {
    /// A compressed response whose body is in memory.
    private static func response(_ count: Int) throws -> Response {
        var response = Response.text(String(repeating: "0123456789", count: count / 10))
        try Compression().after(&response, to: Request(.get, "/", headers: [.acceptEncoding: "gzip"]))
        #expect(response.headers[.contentEncoding] == "gzip" && response.body.count == nil)
        return response
    }

    private static func group(_ log: LogLines = LogLines()) throws -> ConnectionGroup {
        let application = try Probe.application(logger: log.logger)
        return ConnectionGroup(of: application, on: try EventLoop(), memory: MemoryBudget(1_000_000))
    }

    @Test func `a body that is compressed counts until its client has taken it`() async throws {
        let group = try Self.group()
        let memory = group.memory
        var response = try Self.response(300_000)
        group.admit(&response, isUpgrade: false)
        #expect(response.status == .ok)
        var pieces = 0
        let isWhole = await group.send(response.body, to: "GET /") { _ in
            #expect(memory.count == 300_000)
            pieces += 1
            return true
        }
        #expect(isWhole && pieces > 0 && memory.count == 0)
    }

    @Test func `one for which there is no room is 503 with Retry-After, and a small one is sent`() throws {
        let group = try Self.group()
        let others = MemoryLease(500_000, of: group.memory)
        var response = try Self.response(300_000)
        group.admit(&response, isUpgrade: false)
        #expect(response.status == .serviceUnavailable && response.headers[.retryAfter] == "1")
        var small = try Self.response(60_000)
        group.admit(&small, isUpgrade: false)
        #expect(small.status == .ok)
        withExtendedLifetime(others) {}
    }

    @Test func `one that never fits is a fault of the application`() throws {
        let log = LogLines()
        let group = try Self.group(log)
        var response = try Self.response(600_000)
        group.admit(&response, isUpgrade: false)
        #expect(response.status == .internalServerError && response.headers[.retryAfter] == nil)
        #expect(log.all.count == 1 && log.all.first?.contains("600000 bytes") == true, "\(log.all)")
        #expect(log.all.first?.contains("500000, half of MAX_BUFFERED_SIZE") == true, "\(log.all)")
    }

    @Test func `a stream keeps nothing`() throws {
        let (stream, pieces) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        pieces.finish()
        #expect(Body(stream: stream).keptCount == nil)
        var response = Response(.ok, "text/plain", Body(stream: stream))
        try Compression(minimumSize: 0).after(&response, to: Request(.get, "/", headers: [.acceptEncoding: "gzip"]))
        #expect(response.headers[.contentEncoding] == "gzip" && response.body.keptCount == 0)
    }

    @Test func `the bytes of a body in memory are not copied`() throws {
        let bytes = [UInt8](repeating: 1, count: 100_000)
        let same = try Body(bytes).bytes
        let places = [bytes, same].map { bytes in bytes.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } }
        #expect(places[0] == places[1])
    }
}
