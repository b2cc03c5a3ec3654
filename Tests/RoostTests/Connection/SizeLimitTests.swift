import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// Each limit of size, tripped by one byte, on a connection.
@Suite("How large a request may be", .timeLimit(.minutes(5)))
struct SizeLimitTests {
    static let configuration = {
        var configuration = ServerConfiguration()
        configuration.maximumRequestLineSize = 100
        configuration.maximumHeaderSize = 200
        configuration.maximumHeaderCount = 3
        configuration.maximumBodySize = 10
        return configuration
    }()

    private func answer(to request: String) async throws -> WireClient.Response {
        let connection = try await Probe.client(Self.configuration).connect()
        try await connection.send(request)
        let response = try await connection.readResponse()
        if response.headers[.connection] == "close" { try await connection.waitForClose() }
        return response
    }

    private func line(_ length: Int) -> String {
        "GET /?" + String(repeating: "a", count: length - "GET /? HTTP/1.1".count) + " HTTP/1.1\r\nHost: a\r\n\r\n"
    }

    @Test func `a request line of the limit is read, one byte more is 414 and the end (RFC 9112 §3)`() async throws {
        #expect(try await answer(to: line(100)).status == .ok)
        let refusal = try await answer(to: line(101))
        #expect(refusal.status == .uriTooLong)
        #expect(refusal.headers[.connection] == "close")
    }

    @Test func `field lines of the limit are read, one byte more is 431 and the end (RFC 6585 §5)`() async throws {
        let start = "GET / HTTP/1.1\r\n"
        let fields = { "Host: a\r\nX: " + String(repeating: "x", count: $0 - "Host: a\r\nX: \r\n".utf8.count) + "\r\n" }
        #expect(try await answer(to: start + fields(200) + "\r\n").status == .ok)
        let refusal = try await answer(to: start + fields(201) + "\r\n")
        #expect(refusal.status == .requestHeaderFieldsTooLarge)
        #expect(refusal.headers[.connection] == "close")
    }

    @Test func `one field too many is 431 and the end (RFC 6585 §5)`() async throws {
        let start = "GET / HTTP/1.1\r\nHost: a\r\nA: a\r\nB: b\r\n"
        #expect(try await answer(to: start + "\r\n").status == .ok)
        let refusal = try await answer(to: start + "C: c\r\n\r\n")
        #expect(refusal.status == .requestHeaderFieldsTooLarge)
        #expect(refusal.headers[.connection] == "close")
    }

    @Test func `a body of the limit is read, one byte more is 413 (RFC 9110 §15.5.14)`() async throws {
        let fits = try await answer(to: post("Content-Length: 10\r\n", "0123456789"))
        #expect(fits.text == "10")
        #expect(try await answer(to: post("Content-Length: 11\r\n", "0123456789a")).status == .contentTooLarge)
        #expect(try await answer(to: chunked("b\r\n0123456789a\r\n0\r\n\r\n")).status == .contentTooLarge)
        #expect(try await answer(to: chunked("a\r\n0123456789\r\n0\r\n\r\n")).text == "10")
    }

    @Test func `a body of 100 GiB is refused at once, and never invited (RFC 9110 §10.1.1)`() async throws {
        for expectation in ["", "Expect: 100-continue\r\n"] {
            let refusal = try await answer(to: post("Content-Length: 107374182400\r\n\(expectation)"))
            #expect(refusal.status == .contentTooLarge)
            #expect(refusal.headers[.connection] == "close")
        }
    }

    @Test func `an unknown path gets its response without its body being read, and the connection ends`() async throws {
        let refusal = try await answer(
            to: "POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n"
        )
        #expect(refusal.status == .notFound)
        #expect(refusal.headers[.connection] == "close")
    }

    @Test func `a client that expects it is invited once, before the body is read (RFC 9110 §10.1.1)`() async throws {
        let connection = try await Probe.client(Self.configuration).connect()
        try await connection.send(post("Content-Length: 5\r\nExpect: 100-continue\r\n"))
        #expect(try await connection.readResponse().status == .continue)
        try await connection.send("12")
        try await connection.send("345GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await connection.readResponse().text == "5")
        #expect(try await connection.readResponse().text == "ok")
    }

    @Test func `no client is invited once the response has begun (RFC 9110 §10.1.1)`() async throws {
        let client = try Probe.client { routes in
            routes.post(Path("/"), body: .streamed) { request in Response(.ok, "text/plain", request.body) }
        }
        let connection = try await client.connect()
        try await connection.send(post("Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n"))
        var text = String(decoding: try await connection.receive(), as: UTF8.self)
        try await connection.send("3\r\nabc\r\n0\r\n\r\n")
        text += String(decoding: try await connection.readToEnd(), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200 OK"))
        #expect(text.hasSuffix("3\r\nabc\r\n0\r\n\r\n"))
        #expect(!text.contains("100 Continue"))
    }

    @Test(arguments: [413, 414, 431])
    func `a client that still sends can read why it is refused (RFC 9112 §9.6)`(status: Int) async throws {
        let requests = [
            413: post("Content-Length: 4000000\r\n"),
            414: "GET /" + String(repeating: "a", count: 1000),
            431: "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "A: a\r\n", count: 100),
        ]
        let connection = try await Probe.client(Self.configuration).connect()
        try await connection.send(requests[status] ?? "")
        // More than the sockets hold: all of it is taken although nobody wants it.
        let rest = [UInt8](repeating: UInt8(ascii: "x"), count: 4_000_000)
        try await connection.send(rest)
        #expect(try await connection.readResponse().status.code == status)
        try await connection.waitForClose()
    }
}
