import Glibc
import HTTPTypes
import Processes
import Roost
import RoostTesting
import Testing

@testable import RoostHTTPClient

private let keys = [
    "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE", "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
]

/// A new bucket of moto's server.
private func bucket(_ server: MotoServer, _ prefix: String = "pictures") async throws -> S3Bucket {
    let name = try await server.makeBucket()
    return S3Bucket(try S3Location("s3://\(name)/\(prefix)?endpoint=\(server.endpoint)", keys))
}

/// The store of files in S3, with moto's server.
@Suite(
    "S3FileStore", .timeLimit(.minutes(5)),
    .enabled(if: MotoServer.isInstalled, "moto is not installed: scripts/test --all installs it"))
struct S3FileStoreTests {
    private static let name = "1.png"

    private func client(_ store: S3FileStore) throws -> TestClient {
        TestClient(
            try Application(middleware: []) { routes in
                routes.get(Path("/{name}", String.self)) { request, name in
                    guard let response = try await store.response(to: request, for: name, contentType: "image/png")
                    else { throw HTTPError(.notFound) }
                    return response
                }
            })
    }

    @Test func `a file is kept, sent by the rules of HTTP, and removed`() async throws {
        let server = try await MotoServer.shared()
        let store = S3FileStore(try await bucket(server))
        try await store.save(UploadedFile(name: "x", Array("0123456789".utf8)), as: Self.name)
        let client = try client(store)
        let whole = try await client.get("/1.png")
        #expect(whole.text == "0123456789")
        #expect(whole.headers[.contentType] == "image/png")
        #expect(whole.headers[.contentLength] == "10")
        let tag = try #require(whole.headers[.eTag])
        let modified = try #require(whole.headers[.lastModified])
        for fields: Headers in [
            [.ifNoneMatch: tag], [.ifNoneMatch: "\"x\", \(tag)"], [.ifNoneMatch: "*"], [.ifModifiedSince: modified],
        ] { #expect(try await client.get("/1.png", headers: fields).status == .notModified, "\(fields)") }
        #expect(try await client.get("/1.png", headers: [.ifNoneMatch: "\"x\""]).status == .ok)
        #expect(try await client.get("/1.png", headers: [.ifMatch: "\"x\""]).status == .preconditionFailed)
        #expect(try await client.get("/1.png", headers: [.ifMatch: tag]).text == "0123456789")
        // `If-Match` comes first (RFC 9110 §13.2.2).
        let both: Headers = [.ifMatch: "\"x\"", .ifNoneMatch: tag]
        #expect(try await client.get("/1.png", headers: both).status == .preconditionFailed)
        let part = try await client.get("/1.png", headers: [.range: "bytes=2-4"])
        #expect(part.status == .partialContent)
        #expect(part.text == "234")
        #expect(part.headers[.contentRange] == "bytes 2-4/10")
        #expect(try await client.get("/1.png", headers: [.range: "bytes=2-4", .ifRange: "\"x\""]).text == "0123456789")
        #expect(try await client.get("/1.png", headers: [.range: "bytes=2-3,5-6"]).text == "0123456789")
        #expect(try await client.get("/1.png", headers: [.range: "bytes=20-"]).status == .rangeNotSatisfiable)
        let head = try await client.head("/1.png")
        #expect(head.status == .ok)
        #expect(head.headers[.contentLength] == "10")
        try await store.remove(Self.name)
        try await store.remove(Self.name)
        #expect(try await client.get("/1.png").status == .notFound)
        #expect(try await client.head("/1.png").status == .notFound)
    }

    @Test func `a program keeps bytes of its own and reads them`() async throws {
        let store = S3FileStore(try await bucket(try await MotoServer.shared()))
        try await store.save(Array("egg".utf8), as: "own")
        #expect(try await store.body(of: "own")?.collect(upTo: 10).text == "egg")
        #expect(try await store.body(of: "other") == nil)
    }

    @Test func `a name that a client could choose is refused`() async throws {
        let store = S3FileStore(S3Bucket(try S3Location("s3://nests/a", keys), http: HTTPClient { _ in .init(.ok) }))
        await #expect(throws: (any Error).self) { try await store.save(UploadedFile(name: "", [1]), as: "../x") }
        await #expect(throws: (any Error).self) { try await store.remove("a/b") }
    }

    @Test func `a bucket that is not there, or is not reached, stops the start`() async throws {
        let server = try await MotoServer()
        let store = S3FileStore(try await bucket(server))
        try await store.open()
        let other = S3FileStore(S3Bucket(try S3Location("s3://others?endpoint=\(server.endpoint)", keys)))
        let missing = await #expect(throws: StartError.self) { try await other.open() }
        #expect(missing?.exitCode == EX_CONFIG)
        try await server.stop()
        let gone = S3FileStore(S3Bucket(store.bucket.location, http: HTTPClient()))
        let unreachable = await #expect(throws: StartError.self) { try await gone.open() }
        #expect(unreachable?.exitCode == EX_UNAVAILABLE)
    }

    @Test func `files of which nobody knows are removed, page after page`() async throws {
        let server = try await MotoServer.shared()
        let store = S3FileStore(try await bucket(server))
        for number in 1...5 { try await store.save(UploadedFile(name: "", [1]), as: "\(number).png") }
        #expect(try await store.removeUnused(olderThan: .hours(1)) { _ in [] } == 0)
        #expect(
            try await store.removeUnused(olderThan: .seconds(-5)) {
                $0.filter { $0 > "3" }.reduce(into: []) { $0.insert($1) }
            } == 2)
        #expect(try await store.bucket.list().objects.map(\.key) == ["3.png", "4.png", "5.png"])
    }
}

/// Objects of any key, with moto's server.
@Suite(
    "S3Bucket", .timeLimit(.minutes(5)),
    .enabled(if: MotoServer.isInstalled, "moto is not installed: scripts/test --all installs it"))
struct S3BucketTests {
    @Test func `keys may have any characters`() async throws {
        let server = try await MotoServer.shared()
        let bucket = try await bucket(server, "a%20b/%C3%BC")
        let keys = ["+&%?=#.png", "~'()*!$;:@,", "Öl & <Wasser>\"", "a//b", "..x/y..", "%2e%2E", " ", "\u{1F95A}"]
            .sorted()
        for key in keys { try await bucket.put(key, Body("egg of \(key)")) }
        for key in keys {
            #expect(try await bucket.get(key)?.body.collect(upTo: 100).text == "egg of \(key)", "\(key)")
        }
        var listed: [String] = []
        var next: String?
        repeat {
            let page = try await bucket.list(after: next, limit: 3)
            #expect(page.objects.count <= 3)
            listed += page.objects.map(\.key)
            next = page.next
        } while next != nil
        #expect(listed.sorted() == keys)
        #expect(try await bucket.list("Öl").objects.map(\.key) == ["Öl & <Wasser>\""])
        for key in keys { try await bucket.remove(key) }
        #expect(try await bucket.list().objects.isEmpty)
    }

    @Test(arguments: ["", "a/../b", "..", "./a", "a\0b", String(repeating: "a", count: 1100)])
    func `a key that would become another one is refused`(key: String) async throws {
        let bucket = S3Bucket(try S3Location("s3://nests", keys), http: HTTPClient { _ in .init(.ok) })
        await #expect(throws: S3InvalidKey.self) { try await bucket.put(key, Body("x")) }
        #expect(throws: S3InvalidKey.self) { try bucket.signedURL(.get, key, expiresIn: .seconds(1)) }
    }

    @Test func `a large stream is sent in parts, and comes back as it was`() async throws {
        let server = try await MotoServer.shared()
        let bucket = try await bucket(server)
        let piece = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let (pieces, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        for _ in 0..<17 { source.yield(piece) }
        source.finish()
        try await bucket.put("film", Body(stream: pieces), contentType: "video/mp4")
        let film = try #require(try await bucket.get("film"))
        #expect(film.headers[.contentType] == "video/mp4")
        #expect(film.headers[.contentLength] == "\(17 << 20)")
        var (sent, come) = ([UInt8](), [UInt8]())
        for _ in 0..<17 { sent += piece }
        for try await part in film.body { come += part }
        #expect(come.count == sent.count)
        // Comparing the arrays takes long in a program that is not optimized.
        let isSame = memcmp(come, sent, min(come.count, sent.count)) == 0
        #expect(isSame)
    }

    @Test func `of a stream that breaks, nothing is left`() async throws {
        let server = try await MotoServer.shared()
        let bucket = try await bucket(server)
        let (pieces, source) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        source.yield([UInt8](repeating: 1, count: 9 << 20))
        source.finish(throwing: SourceBroke())
        await #expect(throws: SourceBroke.self) { try await bucket.put("film", Body(stream: pieces)) }
        let uploads = try await HTTPClient().get("\(server.endpoint)/\(bucket.location.bucket)?uploads")
        #expect(uploads.status == .ok)
        #expect(!uploads.text.contains("<UploadId>"))
        #expect(try await bucket.get("film") == nil)
    }

    @Test func `a signed URL is enough for anybody`() async throws {
        let server = try await MotoServer.shared()
        let bucket = try await bucket(server)
        let put = try bucket.signedURL(.put, "a b", expiresIn: .seconds(60))
        try await HTTPClient().put(put, body: "egg").successful()
        let get = try bucket.signedURL(.get, "a b", expiresIn: .seconds(60))
        #expect(try await HTTPClient().get(get).text == "egg")
    }
}

private struct SourceBroke: Error {}
