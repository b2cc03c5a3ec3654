import HTTPTypes
import RoostTesting
import Synchronization
import Testing

@testable import Roost
@testable import RoostHTTPClient

/// The memory of uploads to S3, whose clients may be slow.
@Suite("Memory of uploads to S3", .timeLimit(.minutes(2)))
struct S3MemoryTests {
    /// A body of a client, in pieces of these sizes.
    private struct Pieces: AsyncSequence, AsyncIteratorProtocol, CountedStream, Sendable {
        var sizes: [Int]
        let memory: MemoryBudget

        func makeAsyncIterator() -> Pieces { self }

        mutating func next() async throws -> [UInt8]? {
            sizes.isEmpty ? nil : [UInt8](repeating: 1, count: sizes.removeFirst())
        }
    }

    private static func body(_ count: Int, of size: Int, in memory: MemoryBudget, length: Int? = nil) -> Body {
        Body(stream: Pieces(sizes: Array(repeating: size, count: count), memory: memory), length: length)
    }

    /// A bucket that takes everything.
    private static func bucket(_ see: @escaping @Sendable (HTTPClient.Request) -> Void) throws -> S3Bucket {
        let keys = ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"]
        let http = HTTPClient { request in
            see(request)
            return request.method == .post
                ? .init(.ok, body: "<UploadId>1</UploadId><ETag>1</ETag>") : .init(.ok, headers: [.eTag: "1"])
        }
        return S3Bucket(try S3Location("s3://nests", keys), http: http)
    }

    @Test(arguments: [(16 << 20, [5 << 20, 5 << 20, 2 << 20]), (1 << 30, [8 << 20, 4 << 20])])
    func `a part counts in the memory of all clients, and leaves room for another`(
        limit: Int, parts: [Int]
    ) async throws {
        let memory = MemoryBudget(limit)
        let sizes = Mutex<[Int]>([])
        let bucket = try Self.bucket { request in
            guard request.method == .put, let count = request.body.count else { return }
            sizes.withLock { $0.append(count) }
            #expect(memory.count >= count && memory.count <= limit / 2)
        }
        try await bucket.put("film", Self.body(192, of: 1 << 16, in: memory))
        #expect(sizes.withLock { $0 } == parts)
        #expect(memory.count == 0)
    }

    @Test func `an upload for which there is no room is 503 with Retry-After, a smaller one is kept`() async throws {
        let memory = MemoryBudget(16 << 20)
        let others = MemoryLease(8 << 20, of: memory)
        let methods = Mutex<[String]>([])
        let bucket = try Self.bucket { request in methods.withLock { $0.append(request.method.rawValue) } }
        let error = await #expect(throws: HTTPError.self) {
            try await bucket.put("film", Self.body(12, of: 1 << 20, in: memory))
        }
        #expect(error?.status == .serviceUnavailable && error?.headers[.retryAfter] == "1")
        #expect(methods.withLock { $0 } == [] && memory.count == 8 << 20)
        try await bucket.put("song", Self.body(3, of: 1 << 20, in: memory))
        #expect(methods.withLock { $0 } == ["PUT"] && memory.count == 8 << 20)
        withExtendedLifetime(others) {}
    }

    @Test func `an upload that has begun keeps its room`() async throws {
        let memory = MemoryBudget(16 << 20)
        let others = Mutex<MemoryLease?>(nil)
        let sizes = Mutex<[Int]>([])
        let bucket = try Self.bucket { request in
            guard request.method == .put, let count = request.body.count else { return }
            sizes.withLock { $0.append(count) }
            others.withLock { $0 = $0 ?? MemoryLease(8 << 20, of: memory) }
        }
        try await bucket.put("film", Self.body(192, of: 1 << 16, in: memory))
        #expect(sizes.withLock { $0 } == [5 << 20, 5 << 20, 2 << 20] && memory.count == 8 << 20)
    }

    @Test(arguments: [6 << 20, nil])
    func `where no part fits, a body that never does is 413`(length: Int?) async throws {
        let memory = MemoryBudget(8 << 20)
        let methods = Mutex<[String]>([])
        let bucket = try Self.bucket { request in methods.withLock { $0.append(request.method.rawValue) } }
        let error = await #expect(throws: HTTPError.self) {
            try await bucket.put("film", Self.body(6, of: 1 << 20, in: memory, length: length))
        }
        #expect(error?.status == .contentTooLarge && error?.headers[.retryAfter] == nil)
        try await bucket.put("song", Self.body(3, of: 1 << 20, in: memory))
        #expect(methods.withLock { $0 } == ["PUT"] && memory.count == 0)
    }

    @Test func `one client's upload fits into the least memory that a server has by default`() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumBufferedSize = 16 << 20
        let sizes = Mutex<[Int]>([])
        let bucket = try Self.bucket { request in
            guard request.method == .put, let count = request.body.count else { return }
            sizes.withLock { $0.append(count) }
        }
        let application = try Application(configuration: configuration, middleware: []) { routes in
            routes.put(Path("/film"), body: .streamed) { request in
                try await bucket.put("film", request.body)
                return "kept"
            }
        }
        let film = [UInt8](repeating: 1, count: 11 << 20)
        #expect(try await TestClient(application).put("/film", body: film).text == "kept")
        #expect(sizes.withLock { $0 } == [5 << 20, 5 << 20, 1 << 20])
    }
}
