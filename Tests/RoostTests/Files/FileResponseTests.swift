import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

@Suite("Conditional requests and ranges for files", .timeLimit(.minutes(5)))
struct FileResponseTests {
    private static let second = 784_111_777
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test func `a file names its state, and 304 says that it is the same`() async throws {
        let folder = try FilesOnDisk()
        folder.write("a.txt", "hello", modified: Self.second)
        let client = try folder.client()
        let response = try await client.get("/a.txt")
        let tag = try #require(response.headers[.eTag])
        #expect(tag.hasPrefix("\""))
        #expect(response.headers[.lastModified] == Self.date)
        #expect(response.headers[.acceptRanges] == "bytes")
        #expect(response.headers[.cacheControl] == "no-cache")
        for headers: Headers in [[.ifNoneMatch: tag], [.ifModifiedSince: Self.date]] {
            let again = try await client.get("/a.txt", headers: headers)
            #expect(again.status == .notModified)
            #expect(again.body.isEmpty)
            #expect(again.headers[.eTag] == tag)
            #expect(again.headers[.lastModified] == Self.date)
            #expect(again.headers[.contentLength] == nil)
            #expect(again.headers[.contentType] == nil)
        }
        folder.write("a.txt", "hullo", modified: Self.second + 1)
        let changed = try await client.get("/a.txt", headers: [.ifNoneMatch: tag])
        #expect(changed.status == .ok)
        #expect(changed.text == "hullo")
        #expect(changed.headers[.eTag] != tag)
        #expect(try await client.get("/a.txt", headers: [.ifMatch: tag]).status == .preconditionFailed)
    }

    @Test(arguments: [10, 65_536, 3 << 20]) func `a range is these bytes, whatever the file's size`(size: Int)
        async throws
    {
        let folder = try FilesOnDisk()
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        folder.write("data.bin", bytes)
        let client = try folder.client()
        for range in [0..<1, 3..<9, (size - 4)..<size, 1..<size] {
            let response = try await client.get(
                "/data.bin", headers: [.range: "bytes=\(range.lowerBound)-\(range.upperBound - 1)"])
            #expect(response.status == .partialContent)
            #expect(
                response.headers[.contentRange] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
            #expect(response.headers[.contentLength] == "\(range.count)")
            #expect(response.body == Array(bytes[range]))
        }
        let beyond = try await client.get("/data.bin", headers: [.range: "bytes=\(size)-"])
        #expect(beyond.status == .rangeNotSatisfiable)
        #expect(beyond.headers[.contentRange] == "bytes */\(size)")
        let several = try await client.get("/data.bin", headers: [.range: "bytes=0-0,2-2"])
        #expect(several.status == .ok)
        #expect(several.body == bytes)
        let head = try await client.head("/data.bin", headers: [.range: "bytes=0-0"])
        #expect(head.status == .ok)
        #expect(head.headers[.contentLength] == "\(size)")
    }

    @Test func `a range of a slow client's file comes whole, then the next response`() async throws {
        let folder = try FilesOnDisk()
        let bytes = (0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 7) }
        folder.write("large", bytes)
        let connection = try await folder.client().connect()
        try await connection.send("GET /large HTTP/1.1\r\nHost: a\r\nRange: bytes=5-8000004\r\n\r\n")
        try await connection.send("GET /large HTTP/1.1\r\nHost: a\r\nRange: bytes=-3\r\n\r\n")
        #expect(try await connection.readResponse().body == Array(bytes[5...8_000_004]))
        #expect(try await connection.readResponse().body == Array(bytes.suffix(3)))
    }

    @Test func `a compressed copy depends on what clients take, whatever else the response depends on`()
        async throws
    {
        let folder = try FilesOnDisk()
        folder.write("a.css", "plain", modified: Self.second)
        folder.write("a.css.br", "brotli", modified: Self.second)
        let path = folder.path
        let client = TestClient(
            try Application(middleware: [Compression()]) { routes in
                routes.get(Path("/own")) { _ in try Response.file("a.css", in: path, headers: [.vary: "Cookie"]) }
                routes.get(Path("/negotiated")) { request in
                    try await request.negotiate([
                        MediaType("text", "css"): { try .file("a.css", in: path) }, .json: { .json("a") },
                    ])
                }
            })
        for (address, other) in [("/own", "Cookie"), ("/negotiated", "Accept")] {
            let response = try await client.get(address, headers: [.acceptEncoding: "br"])
            #expect(response.headers[.contentEncoding] == "br")
            #expect(response.headers[values: .vary].joined(separator: ", ") == "\(other), Accept-Encoding")
        }
    }

    @Test func `a compressed copy is sent to clients that take it`() async throws {
        let folder = try FilesOnDisk()
        folder.write("a.css", "plain", modified: Self.second)
        folder.write("a.css.gz", "gzipped", modified: Self.second)
        folder.write("a.css.br", "brotli", modified: Self.second)
        folder.write("b.css", "plain", modified: Self.second)
        folder.write("b.css.gz", "old", modified: Self.second - 1)
        folder.write("c.png", "plain", modified: Self.second)
        folder.write("c.png.gz", "useless", modified: Self.second)
        let client = try folder.client()
        var tags: Set<String> = []
        for (accept, text, coding) in [
            ("identity", "plain", nil), ("gzip", "gzipped", "gzip"), ("gzip, br", "brotli", "br"),
            ("br;q=0", "plain", nil),
        ] {
            let response = try await client.get("/a.css", headers: [.acceptEncoding: accept])
            #expect(response.text == text)
            #expect(response.headers[.contentEncoding] == coding)
            #expect(response.headers[.contentType] == "text/css; charset=utf-8")
            #expect(response.headers[.vary] == "Accept-Encoding")
            tags.insert(try #require(response.headers[.eTag]))
        }
        #expect(tags.count == 3)
        let old = try await client.get("/b.css", headers: [.acceptEncoding: "gzip"])
        #expect(old.text == "plain")
        #expect(old.headers[.vary] == "Accept-Encoding")
        let picture = try await client.get("/c.png", headers: [.acceptEncoding: "gzip"])
        #expect(picture.text == "plain")
        #expect(picture.headers[.vary] == nil)
    }

    @Test func `a folder's index has its own compressed copy`() async throws {
        let folder = try FilesOnDisk()
        folder.folder("sub")
        for (name, text) in [("index.html", "top"), ("sub/index.html", "sub")] {
            folder.write(name, text, modified: Self.second)
            folder.write(name + ".gz", "\(text), compressed", modified: Self.second)
        }
        let client = try folder.client(index: "index.html")
        for (path, text) in [("/", "top, compressed"), ("/sub/", "sub, compressed")] {
            #expect(try await client.get(path, headers: [.acceptEncoding: "gzip"]).text == text)
        }
    }

    @Test func `a folder's index is sent if it is asked for`() async throws {
        let folder = try FilesOnDisk()
        folder.write("index.html", Array("top".utf8))
        folder.folder("sub")
        folder.write("sub/index.html", Array("sub".utf8))
        folder.folder("a:b c?")
        folder.write("a:b c?/index.html", Array("odd".utf8))
        folder.folder("empty")
        let client = try folder.client(index: "index.html")
        #expect(try await client.get("/").text == "top")
        #expect(try await client.get("/").headers[.contentType] == "text/html; charset=utf-8")
        #expect(try await client.get("/sub/").text == "sub")
        let redirect = try await client.get("/sub?a=1")
        #expect(redirect.status == .movedPermanently)
        #expect(redirect.headers[.location] == "./sub/?a=1")
        #expect(try await client.get("/a:b%20c%3f").headers[.location] == "./a%3Ab%20c%3F/")
        #expect(try await client.get("/a:b%20c%3f/").text == "odd")
        for path in ["/empty", "/empty/", "/nothing/", "//", "//sub", "/sub//"] {
            #expect(try await client.get(path).status == .notFound, "\(path)")
        }
        #expect(try await folder.client().get("/sub/").status == .notFound)
    }

    @Test(arguments: ["/docs", "docs/", "/docs/"]) func `files can begin at a prefix`(prefix: String) async throws {
        let folder = try FilesOnDisk()
        folder.write("a.txt", Array("hello".utf8))
        let client = try folder.client(at: prefix)
        #expect(try await client.get("/docs/a.txt").text == "hello")
        for path in ["/a.txt", "/docsa.txt", "/docs", "/docs/", "/docs/../a.txt", "/docs//a.txt"] {
            #expect(try await client.get(path).status == .notFound, "\(path)")
        }
    }

    @Test func `a file that a handler sends follows the same rules`() async throws {
        let folder = try FilesOnDisk()
        folder.write("report.pdf", "0123456789", modified: Self.second)
        let (path, parent) = (folder.path + "/report.pdf", folder.path)
        let client = try TestClient { routes in
            routes.get(Path("/report")) { _ in try Response.file(path, headers: [.contentDisposition: "attachment"]) }
            routes.get(Path("/below")) { _ in try Response.file("report.pdf", in: parent) }
            routes.get(Path("/own")) { _ in try Response.file(path, headers: [.cacheControl: "max-age=60"]) }
            routes.get(Path("/gone")) { _ in try Response.file(path, status: .gone) }
            routes.get(Path("/missing")) { _ in try Response.file(path + "x") }
        }
        let response = try await client.get("/report", headers: [.range: "bytes=2-3"])
        #expect(response.status == .partialContent)
        #expect(response.text == "23")
        #expect(response.headers[.contentType] == "application/pdf")
        #expect(response.headers[.contentDisposition] == "attachment")
        let again = try await client.get("/report", headers: [.ifModifiedSince: Self.date])
        #expect(again.status == .notModified)
        for (address, keeping) in [("/report", "no-cache"), ("/below", "no-cache"), ("/own", "max-age=60")] {
            for (headers, status) in [([:], 200), ([.ifModifiedSince: Self.date], 304)] as [(Headers, Int)] {
                let response = try await client.get(address, headers: headers)
                #expect(response.status.code == status)
                #expect(response.headers[values: .cacheControl] == [keeping])
            }
        }
        let gone = try await client.get("/gone", headers: [.range: "bytes=2-3"])
        #expect(gone.status == .gone)
        #expect(gone.text == "0123456789")
        #expect(try await client.get("/missing").status == .notFound)
    }

    @Test func `an encoded slash leads into no folder, and does not matter for a name without one`() async throws {
        let folder = try FilesOnDisk()
        folder.folder("in")
        folder.write("in/a.txt", "guarded", modified: Self.second)
        folder.write("a.txt", "open", modified: Self.second)
        let path = folder.path
        let client = try TestClient { routes in
            routes.get(Path("/terms/{version}", String.self)) { _, _ in try Response.file("a.txt", in: path) }
            routes.get(Path("/files/{rest}", RemainingPath.self)) { _, rest in
                try Response.file(rest.pathSegment, in: path)
            }
        }
        #expect(try await client.get("/terms/1%2F2").text == "open")
        #expect(try await client.get("/files/a.txt").text == "open")
        #expect(try await client.get("/files/in/a.txt").text == "guarded")
        #expect(try await client.get("/files/in%2Fa.txt").status == .notFound)
    }

    @Test func `a method that does not read is never told that it has the file`() async throws {
        let folder = try FilesOnDisk()
        folder.write("report.txt", "0123456789", modified: Self.second)
        let path = folder.path + "/report.txt"
        let client = try TestClient { routes in
            routes.get(Path("/report")) { _ in try Response.file(path) }
            routes.post(Path("/report")) { _ in try Response.file(path) }
        }
        let tag = try #require(try await client.get("/report").headers[.eTag])
        let known = try await client.request(.post, "/report", headers: [.ifNoneMatch: tag])
        #expect(known.status == .preconditionFailed)
        let dated = try await client.request(.post, "/report", headers: [.ifModifiedSince: Self.date])
        #expect(dated.status == .ok && dated.text == "0123456789")
    }

    @Test(arguments: [
        ("a.HTML", "text/html; charset=utf-8"), ("a.b.avif", "image/avif"), ("x/y.ttf", "font/ttf"),
        ("film.mp4", "video/mp4"), ("a.webm", "video/webm"), ("a.mp3", "audio/mpeg"), ("a.zip", "application/zip"),
        ("a.htm", "text/html; charset=utf-8"), ("a.wasm", "application/wasm"),
        ("app.webmanifest", "application/manifest+json"), ("a", "application/octet-stream"),
        ("a.html/b", "application/octet-stream"), ("a.", "application/octet-stream"),
        ("a.\u{212A}", "application/octet-stream"), ("a.htmlhtmlhtmlhtmlhtml", "application/octet-stream"),
    ])
    func `the suffix decides the media type`(path: String, type: String) {
        #expect(FileTypes.type(of: path) == type)
    }

    @Test(arguments: [(0, 1, 15), (16, 255, 256), (-1, 999_999_999, 4096), (.min, .max, 0x1000_0000_0000_0000)])
    func `a tag is of numbers in hexadecimal digits`(first: Int, second: Int, third: Int) {
        let digits = [first, second, third].map { String($0, radix: 16) }.joined(separator: "-")
        #expect(FileResponse.digits(first, second, third) == digits)
    }
}
