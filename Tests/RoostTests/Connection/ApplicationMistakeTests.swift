import Glibc
import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// Responses that no application may give: the client gets what can still be sent, and the log names the mistake.
@Suite("Mistakes of the application", .timeLimit(.minutes(5)))
struct ApplicationMistakeTests {
    private struct Oops: Error, CustomStringConvertible {
        let description = "the disk is on fire"
    }

    private let log = LogLines()

    private func stream(_ chunks: [String], failing: Bool = false) -> any Body.Stream {
        AsyncThrowingStream<[UInt8], any Error> { continuation in
            for chunk in chunks { continuation.yield(Array(chunk.utf8)) }
            continuation.finish(throwing: failing ? Oops() : nil)
        }
    }

    private func client() throws -> TestClient {
        try TestClient(log: log) { routes in
            routes.get(Path("/status/{id}", Int.self)) { _, code in
                Response(HTTPResponse.Status(code: code), "text/plain", Body("body"))
            }
            routes.get(Path("/late/{id}", Int.self)) { _, code in
                await Task.yield()
                return Response(HTTPResponse.Status(code: code))
            }
            routes.get(Path("/short/{name}", String.self)) { _, _ in
                Response(body: Body(stream: stream(["abc"]), length: 5))
            }
            routes.get(Path("/long/{name}", String.self)) { _, _ async in
                Response(body: Body(stream: stream(["abc", "def"]), length: 5))
            }
            routes.get(Path("/fails")) { _ in Response(body: Body(stream: stream(["abc"], failing: true))) }
            routes.on(.post)(Path("/twice"), body: .streamed) { request in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<2 { group.addTask { for try await _ in request.body.chunks {} } }
                    try await group.waitForAll()
                }
                return "read"
            }
            routes.get(Path("/exact")) { _ in Response(body: Body(stream: stream(["abc"]), length: 3)) }
        }
    }

    @Test(arguments: [0, 99, 100, 101, 102, 103, 199])
    func `a status that is not final is a 500 and a line in the log (RFC 9110 §15.2)`(code: Int) async throws {
        for kind in ["status", "late"] {
            let connection = try await client().connection(sending: get("/\(kind)/\(code)") + get("/status/200"))
            let response = try await connection.readResponse()
            #expect(response.status == .internalServerError)
            #expect(response.body.isEmpty)
            #expect(try await connection.readResponse().text == "body")
        }
        let line =
            "The status \(code) is not final, so no response can end with it (RFC 9110 §15.2): use one from 200 to 599."
        #expect(log.all == [line, line])
    }

    @Test(arguments: [("short", "shorter"), ("long", "longer")])
    func `a stream of another length than it said is logged with its request`(
        path: String,
        word: String
    ) async throws {
        let connection = try await client().connection(sending: get("/\(path)/a%0ab?token=secret"))
        #expect(String(decoding: try await connection.readToEnd(), as: UTF8.self).hasSuffix("\r\n\r\nabc"))
        let text = "the body is \(word) than the announced 5 bytes; the connection was closed."
        #expect(log.all == ["127.0.0.1 GET /\(path)/a%0ab: \(text)"])
    }

    @Test(arguments: [100, 200_000])
    func `a file that becomes shorter while it is sent is logged with its request`(size: Int) async throws {
        let folder = try FilesOnDisk()
        folder.write("file", [UInt8](repeating: 0x61, count: size))
        let path = folder.path
        let client = try TestClient(log: log) { routes in
            routes.get(Path("/")) { _ in
                let response = try Response.file("file", in: path)
                truncate(path + "/file", 10)
                return response
            }
        }
        let connection = try await client.connection(sending: get("/"))
        #expect(String(decoding: try await connection.readToEnd(), as: UTF8.self).hasSuffix("\r\n\r\naaaaaaaaaa"))
        #expect(log.all == ["127.0.0.1 GET /: A file could not be sent completely: it has become shorter."])
    }

    @Test(arguments: [100, 200_000])
    func `a file that cannot be read while it is sent is logged with the error and its request`(size: Int) async throws
    {
        let folder = try FilesOnDisk()
        folder.write("file", [UInt8](repeating: 0x61, count: size))
        let path = folder.path + "/file"
        let client = try TestClient(log: log) { routes in
            routes.get(Path("/")) { _ -> Response in
                // As after an error of the disk, nothing can be read through this descriptor.
                let entry = try OpenFile.entry(open(path, O_WRONLY), in: FileBudget(4))
                return Response(body: Body(FilePart(try #require(entry?.file))))
            }
        }
        let connection = try await client.connection(sending: get("/"))
        #expect(String(decoding: try await connection.readToEnd(), as: UTF8.self).hasSuffix("\r\n\r\n"))
        #expect(log.all == ["127.0.0.1 GET /: A file could not be sent completely: Bad file descriptor."])
    }

    @Test func `a stream that fails is logged with its request`() async throws {
        _ = try await client().connection(sending: get("/fails")).readToEnd()
        #expect(log.all == ["127.0.0.1 GET /fails: the disk is on fire"])
    }

    @Test func `a body that two tasks read at once is an error, and neither waits forever`() async throws {
        let client = try client()
        let connection = try await client.connection(
            sending: "POST /twice HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n"
        )
        #expect(try await client.get("/exact").text == "abc")
        try await connection.send("hello")
        #expect(try await connection.readResponse().status == .internalServerError)
        #expect(log.all.count == 1)
        #expect(log.all.first?.contains("can only be read in the task that handles its request") ?? false)
    }

    @Test func `one that keeps its word is not`() async throws {
        #expect(try await client().get("/exact").text == "abc")
        #expect(log.all.isEmpty)
    }

    @Test func `a client that goes away in the middle is nobody's mistake`() async throws {
        let (bytes, more) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let client = try TestClient(log: log) { routes in
            routes.get(Path("/")) { _ in Response(body: Body(stream: bytes, length: 5)) }
        }
        let connection = try await client.connection(sending: get("/"))
        more.yield([0x61])
        _ = try await connection.receive()
        connection.close()
        more.yield([0x62])  // until something cannot be sent, a client may only have ended its side
        try await client.stop()  // which waits for the connection's end
        #expect(log.all.isEmpty)
    }

    @Test func `nor is one that resets its connection, which ends the stream`() async throws {
        let (bytes, more) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let client = try TestClient(log: log) { routes in
            routes.get(Path("/")) { _ in Response(body: Body(stream: bytes, length: 5)) }
        }
        let connection = try await client.connection(sending: get("/"))
        more.yield([0x61])
        _ = try await connection.receive()
        connection.reset()
        try await client.stop()  // which waits for the connection's end
        #expect(log.all.isEmpty)
    }
}
