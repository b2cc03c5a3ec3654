import Glibc
import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// The parts around an application under `scripts/dev`.
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
            routes.get(Path("/write")) { [self] _ in
                change()
                return Response.html("<p>page</p>")
            }
        }
    }

    /// Does the same as `scripts/dev` after an edit of a template.
    private func change() {
        guard let file = fopen(file, "a") else { return }
        fputs("changed\n", file)
        fclose(file)
    }

    /// The state that a page is marked with.
    private func state(of page: WireClient.Response) throws -> String {
        let begin = try #require(page.text.firstRange(of: "data-state=\""))
        return String(page.text[begin.upperBound...].prefix { $0 != "\"" })
    }

    @Test func `there is none in production, nor without the variable`() {
        #expect(LiveReload(["RELOAD_FILE": file], in: .production) == nil)
        #expect(LiveReload([:], in: .development) == nil)
        unlink(file)
    }

    @Test func `pages get a script, and nothing else does`() async throws {
        let client = TestClient(try application())
        let page = try await client.get("/page")
        #expect(page.text == "<p>page</p>" + LiveReload.element(try state(of: page)))
        #expect(page.headers[.cacheControl] == "no-store")
        #expect(try await client.get("/text").text == "text")
        #expect(try await client.get("/empty").text == "")
        let script = try await client.get(LiveReload.scriptPath)
        #expect(script.headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(script.text.contains(LiveReload.eventsPath))
        try await client.stop()
        unlink(file)
    }

    @Test func `a page is marked with the state in which it was asked for`() async throws {
        let client = TestClient(try application())
        let first = try state(of: try await client.get("/page"))
        #expect(try state(of: try await client.get("/page")) == first)
        #expect(try state(of: try await client.get("/write")) == first)
        #expect(try state(of: try await client.get("/page")) != first)
        try await client.stop()
        unlink(file)
    }

    @Test func `the stream tells the state at once, and when the file is written`() async throws {
        let log = LogLines()
        let application = try application()
        let server = try await InProcessServer(ServerConfiguration(), application, logger: log.logger)
        let connection = HTTPConnection(
            descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
        let client = TestClient(application)
        try await connection.send("GET \(LiveReload.eventsPath) HTTP/1.1\r\nHost: a\r\n\r\n")
        var text = ""
        for _ in 0..<2 {
            let event = "event: state\ndata: \(try state(of: try await client.get("/page")))\n\n"
            while !text.contains(event) { text += String(decoding: try await connection.receive(), as: UTF8.self) }
            change()
        }
        connection.close()
        await server.stop()
        try await client.stop()
        unlink(file)
    }
}
