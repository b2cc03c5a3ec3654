import Glibc
import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// What is around an application under `scripts/dev`.
@Suite(.timeLimit(.minutes(5)))
struct LiveReloadTests {
    private let file: String
    private let reload: LiveReload

    init() throws {
        var template = Array("/tmp/roost-reload-XXXXXX".utf8CString)
        close(mkstemp(&template))
        file = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        reload = try #require(LiveReload(["RELOAD_FILE": file], in: .development))
    }

    private func application() throws -> Application {
        try Application(middleware: [reload]) { routes in
            routes.get(Path("/page")) { _ in Response.html("<p>page</p>") }
            routes.get(Path("/text")) { _ in "text" }
            routes.get(Path("/empty")) { _ in Response.html("") }
        }
    }

    @Test func `there is none in production, nor without the variable`() {
        #expect(LiveReload(["RELOAD_FILE": file], in: .production) == nil)
        #expect(LiveReload([:], in: .development) == nil)
        unlink(file)
    }

    @Test func `pages get a script, and nothing else does`() async throws {
        let client = TestClient(try application())
        #expect(try await client.get("/page").text == "<p>page</p>" + LiveReload.element)
        #expect(try await client.get("/text").text == "text")
        #expect(try await client.get("/empty").text == "")
        let script = try await client.get(LiveReload.scriptPath)
        #expect(script.headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(script.text.contains(LiveReload.eventsPath))
        try await client.stop()
        unlink(file)
    }

    @Test func `the stream names the run, and tells when the file is written`() async throws {
        let log = LogLines()
        let server = try await InProcessServer(ServerConfiguration(), try application(), logger: log.logger)
        let connection = HTTPConnection(
            descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
        try await connection.send("GET \(LiveReload.eventsPath) HTTP/1.1\r\nHost: a\r\n\r\n")
        var text = ""
        while !text.contains("event: run\n") {
            text += String(decoding: try await connection.receive(), as: UTF8.self)
        }
        #expect(!text.contains("change"))
        fclose(fopen(file, "w"))
        while !text.contains("event: change\n") {
            text += String(decoding: try await connection.receive(), as: UTF8.self)
        }
        connection.close()
        await server.stop()
        unlink(file)
    }
}
