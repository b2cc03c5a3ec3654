import HTTPTypes
import Testing

@testable import Roost
@testable import RoostTLS
@testable import RoostTesting

/// The same requests over HTTP/1.1 and HTTP/2, without TLS and with it, which have the same responses.
@Suite("Every protocol", .timeLimit(.minutes(5)))
struct EveryProtocolTests {
    private struct Sample: CustomTestStringConvertible, Sendable {
        var method = HTTPRequest.Method.get
        let path: String
        var headers: Headers = [:]
        var body: [UInt8] = []
        let status: Int

        var testDescription: String { "\(method) \(path) \(headers.list.map { "\($0.name): \($0.value)" })" }
    }

    private static let form: Headers = [.contentType: "application/x-www-form-urlencoded"]

    private static let samples = [
        Sample(path: "/", status: 200), Sample(method: .head, path: "/", status: 200),
        Sample(path: "/?a=%20b", status: 200), Sample(path: "/a/../", status: 200), Sample(path: "/%zz", status: 400),
        Sample(path: "/fields", headers: [.accept: "a/b", .cookie: "a=1; b=2", .userAgent: "x"], status: 200),
        Sample(path: "/nowhere", headers: [.accept: "text/html"], status: 404), Sample(path: "/nowhere", status: 404),
        Sample(method: .options, path: "/", status: 204), Sample(method: .put, path: "/", status: 405),
        Sample(path: "/fails", status: 409), Sample(path: "/breaks", status: 500), Sample(path: "/empty", status: 204),
        Sample(path: "/moved", status: 303), Sample(path: "/cookies", status: 200),
        Sample(path: "/large", status: 200), Sample(path: "/large", headers: [.acceptEncoding: "gzip"], status: 200),
        Sample(path: "/pieces", status: 200), Sample(path: "/events", status: 200),
        Sample(method: .post, path: "/count", status: 200),
        Sample(method: .post, path: "/count", body: [UInt8](repeating: 7, count: 200_000), status: 200),
        Sample(method: .post, path: "/count", body: [UInt8](repeating: 7, count: 1_100_000), status: 413),
        Sample(method: .post, path: "/form", headers: form, body: Array("name=Ann+B".utf8), status: 200),
        Sample(method: .post, path: "/form", headers: form, body: Array("name=%".utf8), status: 200),
        Sample(method: .post, path: "/form", headers: [.origin: "http://other"], status: 403),
        Sample(path: "/file", status: 200), Sample(method: .head, path: "/file", status: 200),
        Sample(path: "/file", headers: [.range: "bytes=99990-"], status: 206),
        Sample(path: "/file", headers: [.range: "bytes=0-0,9-20"], status: 200),
        Sample(path: "/file", headers: [.range: "bytes=100000-"], status: 416),
        Sample(path: "/file", headers: [.ifModifiedSince: "Fri, 01 Jan 2100 00:00:00 GMT"], status: 304),
        Sample(path: "/", headers: [.userAgent: String(repeating: "a", count: 33_000)], status: 431),
        Sample(path: "/" + String(repeating: "a", count: 9_000), status: 414),
    ]

    private static func declare(_ routes: Routes, _ folder: String) throws {
        routes.get(Path("/")) { request in "\(request.path) \(request.queryString ?? "-")" }
        routes.get(Path("/fields")) { request in
            request.headers.list.filter { $0.name != .connection }.map { "\($0.name.canonicalName): \($0.value)" }
                .sorted()
                .joined(separator: "\n")
        }
        routes.get(Path("/fails")) { _ -> String in throw HTTPError(.conflict, "No.") }
        routes.get(Path("/breaks")) { _ -> String in throw CancellationError() }
        routes.get(Path("/empty")) { _ in Response(.noContent) }
        routes.get(Path("/moved")) { _ in Response.redirect(to: "/") }
        routes.get(Path("/cookies")) { _ in
            var response = Response(.ok, headers: [.setCookie: "a=1"])
            response.headers.append(.setCookie, "b=2")
            return response
        }
        routes.group(middleware: [Compression()]) { routes in
            routes.get(Path("/large")) { _ in Response.text(String(repeating: "a", count: 300_000)) }
        }
        routes.get(Path("/pieces")) { _ in Response(body: Body(stream: Pieces(count: 5))) }
        routes.get(Path("/events")) { _ in
            Response.events { events in for number in 0..<3 { try await events.send(ServerSentEvent("\(number)")) } }
        }
        routes.post(Path("/count")) { request in "\(try request.body.bytes.count)" }
        routes.post(Path("/form")) { request in try request.form()["name"] ?? "-" }
        routes.fallback(try StaticFiles(folder))
    }

    @Test func `the same requests have the same responses`() async throws {
        let files = try CertificateFolder()
        files.write("file", [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }))
        let site = try await TLSSite(routes: { try Self.declare($0, files.path) })
        for sample in Self.samples {
            var first: WireClient.Response?
            for isSecure in [false, true] {
                for isHTTP2 in [false, true] {
                    let response = try await Self.response(to: sample, of: site, isSecure, isHTTP2)
                    let comment = Comment(
                        rawValue: "\(sample.testDescription), \(isSecure ? "TLS" : "plain"), \(isHTTP2 ? 2 : 1)")
                    #expect(response.status.code == sample.status, comment)
                    #expect(Self.fields(response) == Self.fields(first ?? response), comment)
                    #expect(Self.body(response) == Self.body(first ?? response), comment)
                    first = first ?? response
                }
            }
        }
    }

    /// The body, without the number of the request.
    private static func body(_ response: WireClient.Response) -> [UInt8] {
        guard let id = response.headers["X-Request-ID"], let place = response.body.firstRange(of: id.utf8) else {
            return response.body
        }
        return Array(response.body[..<place.lowerBound] + response.body[place.upperBound...])
    }

    private static func response(
        to sample: Sample, of site: TLSSite, _ isSecure: Bool, _ isHTTP2: Bool
    ) async throws -> WireClient.Response {
        let (method, path, host) = (sample.method, sample.path, "localhost")
        if isSecure {
            let client = try await site.connect(.init(protocols: [isHTTP2 ? "h2" : "http/1.1"]))
            return isHTTP2
                ? try await HTTP2Exchange(on: client)
                    .request(method, path, host: host, headers: sample.headers, body: sample.body)
                : try await client.request(method, path, headers: sample.headers, body: sample.body)
        }
        let descriptor = try await site.server.connect(from: .loopback)
        let connection = HTTPConnection(descriptor: descriptor, host: host, timeout: .seconds(60), server: site.server)
        if isHTTP2 {
            return try await HTTP2Exchange(on: connection)
                .request(method, path, host: host, headers: sample.headers, body: sample.body)
        }
        // The server may end before it has read the whole request.
        try? await connection.send(method, path, headers: sample.headers, body: sample.body)
        return try await connection.readResponse(to: method)
    }

    /// The fields that say nothing of the connection, the time, or the number of the request.
    private static func fields(_ response: WireClient.Response) -> [String] {
        let left = [
            "connection", "keep-alive", "transfer-encoding", "date", "x-request-id", "strict-transport-security",
        ]
        return response.headers.list.filter { !left.contains($0.name.canonicalName) }
            .map { "\($0.name.canonicalName): \($0.value)" }
    }
}

extension TLSClient: ByteConnection {
    func receive() async throws -> [UInt8] { try await read(count: 1).bytes }

    /// Sends a request over HTTP/1.1, and reads to the end of the connection.
    fileprivate func request(
        _ method: HTTPRequest.Method, _ path: String, headers: Headers, body: [UInt8]
    ) async throws -> WireClient.Response {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        if HTTPConnection.needsLength(method, headers, body) { head += "Content-Length: \(body.count)\r\n" }
        for field in headers.list { head += "\(field.name): \(field.value)\r\n" }
        try? await send(Array((head + "\r\n").utf8) + body)
        let (bytes, _) = try await read()
        var reader = ResponseReader(incoming: IncomingBytes(bytes) { _ in }, method: method)
        return try reader.read()
    }
}
