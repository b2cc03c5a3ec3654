import Glibc
import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

@Suite("Static files", .timeLimit(.minutes(5)))
struct StaticFilesTests {
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 3 << 20])
    func `a file comes whole, whatever its size`(size: Int) async throws {
        let folder = try FilesOnDisk()
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        folder.write("data.bin", bytes)
        let client = try folder.client()
        let response = try await client.get("/data.bin")
        #expect(response.status == .ok)
        #expect(response.headers[.contentLength] == "\(size)")
        #expect(response.headers[.contentType] == "application/octet-stream")
        #expect(response.body == bytes)
        let head = try await client.head("/data.bin")
        #expect(head.headers[.contentLength] == "\(size)")
        #expect(head.body.isEmpty)
    }

    @Test func `a slow client gets a large file whole, and another is served meanwhile`() async throws {
        let folder = try FilesOnDisk()
        let bytes = [UInt8](repeating: 7, count: 8 << 20)
        folder.write("large", bytes)
        folder.write("small", [1, 2, 3])
        let client = try folder.client()
        let slow = try await client.connect()
        try await slow.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\nGET /small HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.get("/small").body == [1, 2, 3])
        #expect(try await slow.readResponse().body == bytes)
        #expect(try await slow.readResponse().body == [1, 2, 3])
    }

    @Test func `the guard of a group holds for files below its path, however that is written`() async throws {
        struct Guard: Filter {
            func before(_ request: inout Request) throws -> Response? { throw HTTPError(.forbidden) }
        }
        let folder = try FilesOnDisk()
        folder.folder("admin")
        folder.write("admin/a.html", [1])
        let files = try StaticFiles(folder.path)
        let client = TestClient(
            try Application(logger: LogLines().logger, middleware: []) { routes in
                routes.fallback(files)
                routes.group(Path("/admin"), middleware: [Guard()]) { routes in routes.get(Path("/")) { _ in "in" } }
            })
        for path in ["/admin/a.html", "/%61dmin/a.html", "/admin//a.html", "/x/../admin/a.html"] {
            #expect(try await client.get(path).status == .forbidden, "\(path)")
        }
        for path in ["/admin%2Fa.html", "/admin%2fa.html", "/x/..%2Fadmin/a.html", "/%2Fadmin/a.html"] {
            #expect(try await client.get(path).status == .notFound, "\(path)")
        }
    }

    @Test func `the folder at a prefix has its index, too`() async throws {
        let folder = try FilesOnDisk()
        folder.write("index.html", Array("in".utf8))
        let files = try StaticFiles(folder.path, at: "/a/docs", index: "index.html")
        let client = TestClient(
            try Application(logger: LogLines().logger, middleware: []) { routes in
                routes.group(Path("/a/docs")) { $0.fallback(files) }
            })
        let response = try await client.get("/a/docs?x=1")
        #expect(response.status == .movedPermanently && response.headers[.location] == "./docs/?x=1")
        #expect(try await client.get("/a/docs/").text == "in")
        #expect(try await client.get("/a%2Fdocs").status == .notFound)
    }

    @Test func `a file that is compressed by itself is no picture without its coding`() async throws {
        let folder = try FilesOnDisk()
        for name in ["a.svg", "a.svgz"] { folder.write(name, [1]) }
        let client = try folder.client()
        #expect(try await client.get("/a.svg").headers[.contentType] == "image/svg+xml")
        #expect(try await client.get("/a.svgz").headers[.contentType] == "application/octet-stream")
    }

    @Test func `anything but a plain file inside the folder is unknown`() async throws {
        let folder = try FilesOnDisk()
        folder.write("file.txt", [65])
        folder.write(".secret", [65])
        mkdir(folder.path + "/sub", 0o755)
        folder.write("sub/inner.txt", [66])
        symlink("/etc/passwd", folder.path + "/link")
        symlink("/etc", folder.path + "/etc")
        mkfifo(folder.path + "/pipe", 0o644)
        let client = try folder.client()
        #expect(try await client.get("/file.txt").text == "A")
        #expect(try await client.get("/sub/inner.txt").text == "B")
        #expect(try await client.get("/sub/../file.txt").text == "A")
        for path in [
            "/", "/sub", "/sub/", "/.secret", "/link", "/etc/passwd", "/pipe", "/file.txt/", "/sub//inner.txt",
        ] {
            #expect(try await client.get(path).status == .notFound, "\(path)")
        }
        #expect(try await client.request(.post, "/file.txt").status == .methodNotAllowed)
        #expect(try await client.request(.post, "/nothing").status == .notFound)
    }

    @Test(arguments: [true, false])
    func `in development, a 404 says why a file that is there is not sent`(explains: Bool) async throws {
        let folder = try FilesOnDisk()
        symlink("file.txt", folder.path + "/link")
        let files = try StaticFiles(folder.path, budget: .process, explains: explains)
        let client = TestClient(try Application(logger: LogLines().logger) { $0.fallback(files) })
        let response = try await client.get("/link")
        #expect(response.status == .notFound)
        #expect(response.text.contains("link is a symbolic link, and these are not followed.") == explains)
    }

    @Test func `a file tells its methods as a route does`() async throws {
        let folder = try FilesOnDisk()
        folder.write("file.txt", [65])
        let client = try folder.client()
        let options = try await client.request(.options, "/file.txt")
        #expect(options.status == .noContent)
        #expect(options.headers[.allow] == "GET, HEAD, OPTIONS")
        let refused = try await client.request(.put, "/file.txt")
        #expect(refused.status == .methodNotAllowed)
        #expect(refused.headers[.allow] == "GET, HEAD, OPTIONS")
        #expect(refused.text.contains("PUT is not allowed here; these methods are: GET, HEAD, OPTIONS."))
        #expect(try await client.request(.options, "/nothing").status == .notFound)
    }

    /// RFC 8615 reserves the name for what others look for.
    @Test func `files below .well-known are known, but no others whose path has a dot before a name`() async throws {
        let folder = try FilesOnDisk()
        for name in [".well-known", ".well-known/.hidden", "sub", "sub/.well-known"] { folder.folder(name) }
        for name in [".secret", ".well-known/security.txt", ".well-known/.hidden/a", "sub/.well-known/a"] {
            folder.write(name, [65])
        }
        let client = try folder.client()
        #expect(try await client.get("/.well-known/security.txt").text == "A")
        for path in [
            "/.well-known", "/.well-known/", "/.well-known/../.secret", "/.well-known/.hidden/a", "/sub/.well-known/a",
        ] {
            #expect(try await client.get(path).status == .notFound, "\(path)")
        }
    }

    @Test(arguments: [(EMFILE, 69), (ENFILE, 69), (ENOMEM, 69), (ENOENT, 78), (EACCES, 78)] as [(Int32, Int32)])
    func `a folder that the system cannot open now may be opened by another start`(code: Int32, exitCode: Int32) {
        #expect(FileFolder.unreadable("/a", code).exitCode == exitCode)
    }

    @Test func `a missing folder stops the start`() {
        let error = #expect(throws: StartError.self) { try StaticFiles("/nonexistent") }
        #expect(error?.description.hasPrefix("The folder /nonexistent cannot be read") == true)
    }

    @Test func `slow downloads are 503 beyond their share of open files, and small files go on`() async throws {
        let folder = try FilesOnDisk()
        folder.write("large.bin", [UInt8](repeating: 1, count: 8 << 20))
        folder.write("small.css", [2])
        let files = try StaticFiles(folder.path, budget: FileBudget(4))
        let client = TestClient(try Application(logger: LogLines().logger) { $0.fallback(files) })
        var slow: [HTTPConnection] = []
        for _ in 0..<3 { slow.append(try await client.connection(sending: get("/large.bin"))) }
        for connection in slow { _ = try await connection.receive() }
        for _ in 0..<2 {
            let refusal = try await client.get("/large.bin")
            #expect(refusal.status == .serviceUnavailable)
            #expect(refusal.headers[.retryAfter] == "1")
            #expect(try await client.get("/small.css").status == .ok)
        }
        // A client that leaves makes room for another.
        slow[0].reset()
        while try await client.head("/large.bin").status != .ok {}
        slow[0] = try await client.connection(sending: get("/large.bin"))
        _ = try await slow[0].receive()
        #expect(try await client.get("/large.bin").status == .serviceUnavailable)
    }

    @Test(arguments: [ENOENT, ENOTDIR, EACCES, EPERM, ELOOP, ENAMETOOLONG, ENXIO])
    func `a file that cannot be opened because of its name is unknown`(code: Int32) throws {
        #expect(FileFolder.failure(code) == nil)
    }

    @Test(arguments: [EMFILE, ENFILE, ENOMEM])
    func `a file that cannot be opened because too many are open is 503, to be tried again`(code: Int32) throws {
        let error = try #require(FileFolder.failure(code) as? HTTPError)
        #expect(error.status == .serviceUnavailable)
        #expect(error.headers[.retryAfter] == "1")
    }

    @Test func `any other failure is an error, not an unknown file`() throws {
        let error = try #require(FileFolder.failure(EIO))
        #expect("\(error)" == "A file could not be opened: Input/output error.")
    }
}
