import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// A body whose end cannot be known ends the connection: what follows it is never taken for a request.
@Suite("RFC 9112 §7.1: a malformed chunked body", .timeLimit(.minutes(5)))
struct MalformedBodyTests {
    @Test(arguments: [
        "3b;a=b 0\r\n\r\n", "000000000000003b0\r\n\r\n", "2\r\n{}\r\r\n0\r\n\r\n", "0x3\r\nabc\r\n0\r\n\r\n",
        "-1\r\n\r\n",
        "3\r\nabcd\r\n0\r\n\r\n", "3\nabc\r\n0\r\n\r\n", "\r\n0\r\n\r\n", "g\r\n\r\n",
    ])
    func `gets 400 once and a close, whatever reads it`(body: String) async throws {
        for path in ["/", "/stream", "/unread"] {
            let client = try Probe.client { routes in
                Probe.routes(routes)
                routes.on(.post)(Path("/unread"), body: .streamed) { _ async in "unread" }
            }
            let connection = try await client.connect()
            let head = "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            try await connection.send(head + body + "GET /?smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try await connection.readResponse()
            #expect(response.status == (path == "/unread" ? .ok : .badRequest))
            #expect(response.headers[.connection] == "close")
            #expect(try await connection.readToEnd().isEmpty)
        }
    }
}
