import FoundationEssentials
import Glibc
import Roost
import RoostTesting
import Testing

@Suite("Files in memory", .timeLimit(.minutes(5)))
struct MemoryFileStoreTests {
    private static func client(_ store: any FileStore) throws -> TestClient {
        try TestClient { routes in
            routes.get(Path("/a")) { request in
                try await store.response(to: request, for: "a", contentType: "video/mp4") ?? Response(.notFound)
            }
        }
    }

    @Test(arguments: [nil, "bytes=0-0", "bytes=2-4", "bytes=7-", "bytes=-3", "bytes=10-", "bytes=0-1,3-4", "lines=1-2"])
    func `are sent as those in a folder are`(range: String?) async throws {
        let folder = "/tmp/roost-memory-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        defer {
            unlink(folder + "/a")
            rmdir(folder)
        }
        let stores: [any FileStore] = [MemoryFileStore(), FolderFileStore(folder)]
        var responses: [WireClient.Response] = []
        for store in stores {
            try await store.save(UploadedFile(name: "", Array("0123456789".utf8)), as: "a")
            responses.append(try await Self.client(store).get("/a", headers: range.map { [.range: $0] } ?? [:]))
        }
        let (memory, disk) = (responses[0], responses[1])
        #expect(memory.status == disk.status)
        #expect(memory.status.code >= 400 || memory.body == disk.body)
        for name: HTTPField.Name in [.acceptRanges, .contentRange, .contentType, .cacheControl] {
            #expect(memory.headers[name] == disk.headers[name], "\(name)")
        }
        #expect((memory.headers[.lastModified] == nil) == (disk.headers[.lastModified] == nil))
    }

    @Test func `a program keeps bytes of its own and reads them, as in a folder`() async throws {
        let folder = "/tmp/roost-memory-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        defer {
            for name in ["a", "b"] { unlink(folder + "/" + name) }
            rmdir(folder)
        }
        let stores: [any FileStore] = [MemoryFileStore(), FolderFileStore(folder)]
        for store in stores {
            try await store.save(Array("egg".utf8), as: "a")
            try await store.save([], as: "b")
            #expect(try await store.body(of: "a")?.collect(upTo: 10).text == "egg")
            #expect(try await store.body(of: "b")?.collect(upTo: 10).bytes == [])
            #expect(try await store.body(of: "c") == nil)
            await #expect(throws: (any Error).self) { try await store.body(of: "a")?.bytes }
        }
    }

    @Test func `a part is sent while the state is the same`() async throws {
        let store = MemoryFileStore()
        try await store.save(UploadedFile(name: "", Array("0123456789".utf8)), as: "a")
        let client = try Self.client(store)
        let tag = try #require(try await client.get("/a").headers[.eTag])
        let part = try await client.get("/a", headers: [.range: "bytes=5-", .ifRange: tag])
        #expect(part.status == .partialContent && part.text == "56789")
        try await store.save(UploadedFile(name: "", Array("abc".utf8)), as: "a")
        let changed = try await client.get("/a", headers: [.range: "bytes=1-", .ifRange: tag])
        #expect(changed.status == .ok && changed.text == "abc")
    }

    @Test func `a client asks for them by date and by tag`() async throws {
        let clock = TestClock(at: Date(timeIntervalSince1970: 784_111_777))
        let store = withClock(clock) { MemoryFileStore() }
        try await store.save(UploadedFile(name: "", Array("0123456789".utf8)), as: "a")
        let (date, client) = ("Sun, 06 Nov 1994 08:49:37 GMT", try Self.client(store))
        let whole = try await client.get("/a")
        #expect(whole.headers[.lastModified] == date)
        let tag = try #require(whole.headers[.eTag])
        for headers: Headers in [[.ifModifiedSince: date], [.ifNoneMatch: tag]] {
            let response = try await client.get("/a", headers: headers)
            #expect(response.status == .notModified)
            #expect(response.headers[.eTag] == tag && response.headers[.lastModified] == date)
        }
        for headers: Headers in [
            [.ifUnmodifiedSince: "Sun, 06 Nov 1994 08:49:36 GMT"], [.ifMatch: "\"other\""],
        ] {
            #expect(try await client.get("/a", headers: headers).status == .preconditionFailed)
        }
        // There could be another change in the same second.
        let part: Headers = [.range: "bytes=5-", .ifRange: date]
        #expect(try await client.get("/a", headers: part).status == .ok)
        clock.advance(by: .seconds(1))
        let later = try await client.get("/a", headers: part)
        #expect(later.status == .partialContent && later.text == "56789")
    }

    @Test(arguments: ["gzip", "identity"])
    func `behind compression, 304 has the tag and Vary of the whole`(coding: String) async throws {
        let store = MemoryFileStore()
        try await store.save(UploadedFile(name: "", Array(repeating: 0x61, count: 4096)), as: "a")
        let client = TestClient(
            try Application(middleware: [Compression()]) { routes in
                routes.get(Path("/a")) { request in
                    try await store.response(to: request, for: "a", contentType: "text/css") ?? Response(.notFound)
                }
            })
        let whole = try await client.get("/a", headers: [.acceptEncoding: coding])
        #expect(whole.headers[.vary] == "Accept-Encoding")
        let date = try #require(whole.headers[.lastModified])
        let again = try await client.get("/a", headers: [.acceptEncoding: coding, .ifModifiedSince: date])
        #expect(again.status == .notModified)
        for name: HTTPField.Name in [.eTag, .vary] { #expect(again.headers[name] == whole.headers[name], "\(name)") }
    }
}
