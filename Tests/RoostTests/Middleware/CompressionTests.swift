internal import CZlib
import CoreMetrics
import Roost
import RoostTesting
import Testing

@Suite("Compression", .timeLimit(.minutes(5)))
struct CompressionTests {
    private static let long = String(repeating: "Swift comes to REST here. ", count: 100)
    private static let gzip: Headers = [.acceptEncoding: "br;q=0, gzip"]

    private static func client(
        _ compression: Compression = Compression(), sessions: Bool = false
    ) throws -> TestClient {
        let around: [any Middleware] = sessions ? [Sessions(MemorySessionStore(), isHTTPS: true)] : []
        return TestClient(
            try Application(middleware: [compression] + around) { routes in
                routes.get(Path("/text")) { _ in long }
                routes.get(Path("/size/{n}", Int.self)) { _, n in String(repeating: "a", count: n) }
                routes.post(Path("/text")) { _ in long }
                routes.get(Path("/later")) { _ in
                    await Task.yield()
                    return long
                }
                routes.get(Path("/json")) { _ in JSON(Array(0..<1000)) }
                routes.get(Path("/picture")) { _ in Response(.ok, "image/png", Body(long)) }
                routes.get(Path("/own")) { _ in
                    Response(.ok, headers: [.contentType: "text/plain", .contentEncoding: "br"], body: Body(long))
                }
                routes.get(Path("/asked")) { _ in
                    Response(
                        .ok, headers: [.contentType: "text/plain", .cacheControl: "no-transform"], body: Body(long))
                }
                routes.get(Path("/tag")) { request in
                    let tag = EntityTag("7")
                    if request.isFresh(tag) { return Response(.notModified, headers: [.eTag: "\(tag)"]) }
                    return Response(
                        .ok, headers: [.contentType: "text/plain", .eTag: "\(tag)", .vary: "Accept"], body: Body(long))
                }
                routes.put(Path("/tag")) { Response($0.ifMatch(EntityTag("7")) ? .noContent : .preconditionFailed) }
                routes.get(Path("/vendor")) { _ in Response(.ok, "application/vnd.api+json; a=b", Body(long)) }
                routes.get(Path("/session")) { request in
                    try await request.session["a"] = "b"
                    return long
                }
                routes.get(Path("/visitor")) { request in
                    _ = try await request.session["a"]
                    return long
                }
                routes.get(Path("/stream")) { _ in
                    let (stream, parts) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
                    for part in ["one ", "two ", "three"] { parts.yield(Array(part.utf8)) }
                    parts.finish()
                    return Response(.ok, "text/plain", Body(stream: stream))
                }
            })
    }

    /// Returns the content of a gzip file, as zlib reads it.
    private static func unzipped(_ bytes: [UInt8]) throws -> String {
        var stream = z_stream()
        try #require(inflateInit2_(&stream, 31, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
        defer { inflateEnd(&stream) }
        var (input, output) = (bytes, [UInt8](repeating: 0, count: 1 << 20))
        let code = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        #expect(code == Z_STREAM_END && stream.avail_in == 0)
        return String(decoding: output.prefix(Int(stream.total_out)), as: UTF8.self)
    }

    @Test(arguments: ["/text", "/later"])
    func `a text is compressed for a client that accepts it`(path: String) async throws {
        let client = try Self.client()
        let response = try await client.get(path, headers: Self.gzip)
        #expect(response.headers[.contentEncoding] == "gzip")
        #expect(response.headers[.vary] == "Accept-Encoding")
        #expect(response.headers[.contentLength] == "\(response.body.count)")
        #expect(response.body.count < 200)
        #expect(try Self.unzipped(response.body) == Self.long)
        let head = try await client.head(path, headers: Self.gzip)
        #expect(head.headers[.contentLength] == "\(response.body.count)" && head.body.isEmpty)
        for refusing in ["", "identity", "gzip;q=0", "br"] {
            let plain = try await client.get(path, headers: [.acceptEncoding: refusing])
            #expect(plain.text == Self.long && plain.headers[.contentEncoding] == nil)
            #expect(plain.headers[.vary] == "Accept-Encoding")
        }
    }

    @Test func `JSON is compressed`() async throws {
        let response = try await Self.client().get("/json", headers: Self.gzip)
        #expect(response.headers[.contentEncoding] == "gzip")
        #expect(try Self.unzipped(response.body).hasSuffix(",998,999]"))
    }

    @Test(arguments: [(1023, false), (1024, true), (32 * 1024, true), (32 * 1024 + 1, true), (1_000_000, true)])
    func `small bodies are sent as they are, and large ones come whole`(size: Int, isCompressed: Bool) async throws {
        let response = try await Self.client().get("/size/\(size)", headers: Self.gzip)
        #expect((response.headers[.contentEncoding] == "gzip") == isCompressed)
        let text = isCompressed ? try Self.unzipped(response.body) : response.text
        #expect(text == String(repeating: "a", count: size))
    }

    @Test(arguments: ["/picture", "/own", "/asked", "/missing"])
    func `what is compressed already, or asks for it, is not`(path: String) async throws {
        let response = try await Self.client().get(path, headers: Self.gzip)
        #expect(response.headers[.contentEncoding] == (path == "/own" ? "br" : nil))
        #expect(!(response.headers[.vary] ?? "").contains("Accept-Encoding"))
    }

    @Test func `the response to a form is not, since it may show what was sent beside a secret`() async throws {
        let response = try await Self.client().post("/text", headers: Self.gzip)
        #expect(response.text == Self.long && response.headers[.contentEncoding] == nil)
    }

    @Test func `a strong tag becomes weak, and the client that has it gets 304`() async throws {
        let client = try Self.client()
        let response = try await client.get("/tag", headers: Self.gzip)
        #expect(response.headers[.eTag] == "W/\"7\"" && response.headers[.vary] == "Accept, Accept-Encoding")
        #expect(try await client.get("/tag").headers[.eTag] == "\"7\"")
        var headers = Self.gzip
        headers[.ifNoneMatch] = "W/\"7\""
        let fresh = try await client.get("/tag", headers: headers)
        #expect(fresh.status == .notModified && fresh.headers[.eTag] == "W/\"7\"")
        headers[.ifNoneMatch] = "\"7\""
        #expect(try await client.get("/tag", headers: headers).headers[.eTag] == "\"7\"")
    }

    @Test func `a client may send the tag back that it has got, and change the state`() async throws {
        let client = try Self.client()
        for headers in [Self.gzip, [:]] {
            var change = headers
            let tag = try await client.get("/tag", headers: headers).headers[.eTag]
            #expect(tag?.hasSuffix("\"7\"") == true)
            change[.ifMatch] = tag
            #expect(try await client.put("/tag", headers: change).status == .noContent)
            change[.ifMatch] = "W/\"6\""
            #expect(try await client.put("/tag", headers: change).status == .preconditionFailed)
        }
    }

    @Test func `a type that is JSON by its suffix is compressed`() async throws {
        let response = try await Self.client().get("/vendor", headers: Self.gzip)
        #expect(response.headers[.contentEncoding] == "gzip")
    }

    @Test func `a visitor's session keeps responses plain, unless asked`() async throws {
        let client = try Self.client(sessions: true)
        #expect(try await client.get("/visitor", headers: Self.gzip).headers[.contentEncoding] == "gzip")
        for path in ["/session", "/visitor"] {
            #expect(try await client.get(path, headers: Self.gzip).text == Self.long)
        }
        let asked = try Self.client(Compression(includesSessions: true), sessions: true)
        #expect(try await asked.get("/session", headers: Self.gzip).headers[.contentEncoding] == "gzip")
    }

    @Test func `a stream is compressed, and each piece goes out at once`() async throws {
        let client = try Self.client(Compression(minimumSize: 0))
        let response = try await client.get("/stream", headers: Self.gzip)
        #expect(response.headers[.contentEncoding] == "gzip")
        #expect(try Self.unzipped(response.body) == "one two three")
        // A flush ends with an empty stored block.
        let flushes = response.body.indices.dropLast(3).count {
            Array(response.body[$0..<($0 + 4)]) == [0, 0, 0xFF, 0xFF]
        }
        #expect(flushes == 3)
    }

    /// Compressed, it has no length that the server could compare.
    @Test(
        arguments: [(["abc"], "shorter"), (["abc", "def"], "longer"), (["abc", "de"], nil)] as [([String], String?)]
    )
    func `a stream of another length than it said breaks off, too`(parts: [String], word: String?) async throws {
        let log = LogLines()
        let client = try TestClient(log: log, middleware: [Compression(minimumSize: 0)]) { routes in
            routes.get(Path("/")) { _ in
                let (stream, pieces) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
                for part in parts { pieces.yield(Array(part.utf8)) }
                pieces.finish()
                return Response(.ok, "text/plain", Body(stream: stream, length: 5))
            }
        }
        let connection = try await client.connection(
            sending: "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n")
        let text = String(decoding: try await connection.readToEnd(), as: UTF8.self)
        #expect(text.contains("\r\nContent-Encoding: gzip\r\n"))
        #expect(text.hasSuffix("\r\n0\r\n\r\n") == (word == nil))
        let mistake = word.map { "the body is \($0) than the announced 5 bytes; the connection was closed." }
        #expect(log.all == mistake.map { ["127.0.0.1 GET /: \($0)"] } ?? [])
        guard word == nil else { return }
        let whole = try await client.get("/", headers: Self.gzip)
        #expect(try Self.unzipped(whole.body) == "abcde")
    }

    @Test func `a file is compressed once, and a new state of it, too`() async throws {
        let folder = try FilesOnDisk()
        let style = String(repeating: "a { color: red } ", count: 1000)
        folder.write("style.css", style, modified: 1_000_000)
        folder.write("large.txt", String(repeating: "0123456789", count: 50_000), modified: 1_000_000)
        folder.write("data.bin", style, modified: 1_000_000)
        let files = try StaticFiles(folder.path)
        let metrics = PrometheusMetrics()
        let client = try withMetricsFactory(metrics) {
            TestClient(try Application(middleware: [Compression()]) { $0.fallback(files) })
        }
        for _ in 0..<2 {
            let response = try await client.get("/style.css", headers: Self.gzip)
            #expect(try Self.unzipped(response.body) == style)
            #expect(response.headers[.eTag]?.hasPrefix("W/\"") == true && response.headers[.acceptRanges] == nil)
            #expect(response.headers[.vary] == "Accept-Encoding")
        }
        folder.write("style.css", style + "b", modified: 2_000_000)
        #expect(try Self.unzipped(try await client.get("/style.css", headers: Self.gzip).body) == style + "b")
        let large = try await client.get("/large.txt", headers: Self.gzip)
        #expect(try Self.unzipped(large.body).utf8.count == 500_000)
        #expect(try await client.get("/data.bin", headers: Self.gzip).headers[.contentEncoding] == nil)
        var part = Self.gzip
        part[.range] = "bytes=0-9"
        let counts = metrics.text().split(separator: "\n").filter { $0.hasPrefix("roost_compressed_file_cache") }
        #expect(counts == ["roost_compressed_file_cache_hits_total 1", "roost_compressed_file_cache_misses_total 2"])
        let partial = try await client.get("/style.css", headers: part)
        #expect(partial.status == .partialContent && partial.text == "a { color:")
    }

    @Test func `of two files at one path, each client gets the one it has asked for`() async throws {
        let folder = try FilesOnDisk()
        // The same size and the same time, as copies with their times have.
        for name in ["ann", "bob"] {
            folder.write("\(name).txt", String(repeating: "\(name) ", count: 500), modified: 1_000_000_000)
        }
        let path = folder.path
        let client = try TestClient(middleware: [Compression()]) { routes in
            routes.get(Path("/report")) { request in try Response.file("\(path)/\(request.query["name"] ?? "").txt") }
        }
        for name in ["ann", "bob"] {
            let response = try await client.get("/report?name=\(name)", headers: Self.gzip)
            #expect(response.headers[.contentEncoding] == "gzip")
            #expect(try Self.unzipped(response.body).hasPrefix(name))
        }
    }

    @Test func `304 has the tag that the whole response would have`() async throws {
        let folder = try FilesOnDisk()
        folder.write("long.txt", Self.long, modified: 1_000_000_000)
        folder.write("short.txt", "short", modified: 1_000_000_000)
        folder.write("picture.png", Self.long, modified: 1_000_000_000)
        folder.write("copied.txt", Self.long, modified: 1_000_000_000)
        folder.write("copied.txt.gz", Self.long, modified: 1_000_000_000)
        let files = try StaticFiles(folder.path)
        folder.write("long.conf", Self.long, modified: 1_000_000_000)
        let path = folder.path
        let client = try TestClient(middleware: [Compression()]) { routes in
            routes.get(Path("/long.conf")) { _ in try Response.file("long.conf", in: path, contentType: "text/plain") }
            routes.fallback(files)
        }
        for name in ["long.txt", "short.txt", "picture.png", "copied.txt", "long.conf"] {
            for coding in [Self.gzip, [:] as Headers] {
                let whole = try await client.get("/\(name)", headers: coding)
                let tag = try #require(whole.headers[.eTag])
                // Weak or strong, it is the state that the client has (RFC 9110 §13.1.2).
                let value = tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
                for known in [value, "W/\(value)"] {
                    var headers = coding
                    headers[.ifNoneMatch] = known
                    let response = try await client.get("/\(name)", headers: headers)
                    #expect(response.status == .notModified, "\(name) \(known)")
                    #expect(response.headers[.eTag] == tag, "\(name) \(known) \(coding.list)")
                    #expect(response.headers[values: .vary] == whole.headers[values: .vary], "\(name)")
                }
            }
        }
    }

    @Test func `304 of a handler names the compressed representation only to who accepts it`() async throws {
        let client = try Self.client()
        let plain = try await client.get("/tag", headers: [.ifNoneMatch: "W/\"7\""])
        #expect(plain.status == .notModified && plain.headers[.eTag] == "\"7\"")
        var headers = Self.gzip
        headers[.ifNoneMatch] = "W/\"7\""
        let compressed = try await client.get("/tag", headers: headers)
        #expect(compressed.status == .notModified && compressed.headers[.eTag] == "W/\"7\"")
    }
}
