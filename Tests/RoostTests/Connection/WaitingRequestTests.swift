import RoostTesting
import Testing

@testable import Roost

/// Requests whose handlers wait.
@Suite("Requests that wait", .timeLimit(.minutes(5)))
struct WaitingRequestTests {
    @Test(arguments: ["", "GET /now HTTP/1.1\r\nHost: a\r\n\r\n"])
    func `one keeps what it consists of, and not what it was read into`(before: String) async throws {
        let server = try await server()
        let connection = HTTPConnection(
            descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
        try await connection.send(
            before
                + "POST http://b:80/x/wait/%41da?q=1 HTTP/1.1\r\nHost: a\r\nUser-Agent: here\r\n"
                + "Content-Length: 4\r\n\r\nbody"
        )
        if !before.isEmpty { #expect(try await connection.readResponse().text == "now") }
        #expect(
            try await connection.readResponse().text
                == "POST /x/wait/Ada Ada q=1 b:80 here body http://b:80/x/wait/%41da?q=1 in less than 256 bytes")
    }

    @Test(arguments: ["/wait/x", "/wait/./x"])
    func `one without fields or with dots in its path`(path: String) async throws {
        let server = try await server()
        let connection = HTTPConnection(
            descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
        try await connection.send("GET \(path)?y HTTP/1.0\r\n\r\n")
        #expect(
            try await connection.readResponse().text
                == "GET /wait/x x y   0 \(path)?y in less than 256 bytes")
    }

    private func server() async throws -> InProcessServer {
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/now")) { _ in "now" }
            routes.get(Path("/wait/{name}", String.self)) { request, name in
                await Task.yield()
                return try Self.words(of: request, name)
            }
            routes.post(Path("/x/wait/{name}", String.self)) { request, name in
                await Task.yield()
                return try Self.words(of: request, name)
            }
        }
        return try await InProcessServer(application.configuration, application, logger: application.logger)
    }

    private static func words(of request: Request, _ name: String) throws -> String {
        let body = try request.body.bytes
        let space = request.bytes.capacity < 256 ? "less than 256 bytes" : "\(request.bytes.capacity) bytes"
        return [
            request.method.rawValue, request.path, name, request.queryString ?? "", request.authority,
            request.headers[.userAgent] ?? "", body.isEmpty ? "0" : String(decoding: body, as: UTF8.self),
            request.target, "in", space,
        ].joined(separator: " ")
    }
}
