import CoreMetrics
import RoostTesting
import Testing

@testable import Roost

/// The limits of compression at the same time, and the files that are kept.
@Suite("Limits of compression", .timeLimit(.minutes(5)))
struct CompressionLimitTests {
    private static let gzip: Headers = [.acceptEncoding: "gzip"]

    @Test func `sixteen bodies are compressed piece by piece, and the next is sent as it is`() async throws {
        let compression = Compression()
        let request = try Request(.get, "/", headers: Self.gzip)
        let text = String(repeating: "Swift comes to REST here. ", count: 4000)
        func response() throws -> Response {
            var response = Response.text(text)
            try compression.after(&response, to: request)
            return response
        }
        var held = try (0..<16).map { _ in try response() }
        #expect(held.allSatisfy { $0.headers[.contentEncoding] == "gzip" })
        let plain = try response()
        #expect(plain.headers[.contentEncoding] == nil && plain.headers[.vary] == "Accept-Encoding")
        #expect(plain.body.count == text.utf8.count)
        // One that is dropped, and one that has been compressed to its end.
        held.removeLast()
        held.append(try response())
        #expect(held.last?.headers[.contentEncoding] == "gzip")
        for try await _ in held[0].body {}
        #expect(try response().headers[.contentEncoding] == "gzip")
    }

    /// Gets a file, and returns how often one was found among those that are kept, and how often not.
    private static func counts(_ size: Int, times: Int, _ headers: Headers, cacheControl: String) async throws -> [Int]
    {
        let folder = try FilesOnDisk()
        folder.write("a.txt", String(repeating: "0123456789", count: size / 10), modified: 1_000_000)
        let files = try StaticFiles(folder.path, cacheControl: cacheControl)
        let metrics = PrometheusMetrics()
        let client = try withMetricsFactory(metrics) {
            TestClient(try Application(middleware: [Compression()]) { $0.fallback(files) })
        }
        var bodies: Set<[UInt8]> = []
        for _ in 0..<times {
            let response = try await client.get("/a.txt", headers: headers)
            #expect(response.headers[.contentEncoding] == "gzip")
            bodies.insert(response.body)
        }
        #expect(bodies.count == 1 && (bodies.first?.count ?? .max) < size / 5)
        return ["hits", "misses"].map { name in
            let line = metrics.text().split(separator: "\n").first {
                $0.hasPrefix("roost_compressed_file_cache_\(name)")
            }
            return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
        }
    }

    @Test func `a large file is kept, too, once one client has had it whole`() async throws {
        #expect(try await Self.counts(500_000, times: 3, Self.gzip, cacheControl: "no-cache") == [2, 0])
    }

    @Test func `what is for one client alone is not kept`() async throws {
        let token: Headers = [.acceptEncoding: "gzip", .authorization: "Bearer x"]
        #expect(try await Self.counts(50_000, times: 2, token, cacheControl: "no-cache") == [0, 0])
        #expect(try await Self.counts(50_000, times: 2, Self.gzip, cacheControl: "private") == [0, 0])
    }
}
