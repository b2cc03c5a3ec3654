import RoostTesting
import Testing

@testable import Roost

/// A body that comes whole with its head is read like one that comes in parts: a client does not choose between them.
@Suite("Forms on routes with streams", .quietLog, .timeLimit(.minutes(5)))
struct StreamedFormTests {
    private struct Input: Codable, Sendable { var name: String }

    private static func client(_ log: LogLines = LogLines()) throws -> TestClient {
        var configuration = ServerConfiguration()
        (configuration.maximumFormSize, configuration.maximumBodySize) = (100, 200)
        return try TestClient(
            log: log, configuration: configuration, templates: Templates(sources: ["form": "{{name}}|{{fault}}"]),
            middleware: [ErrorPages(logger: log.logger)]
        ) { routes in
            routes.post(Path("/handled"), body: .streamed) { request in
                try await request.handleForm(Input.self) { input in
                    .text(input.name)
                } invalid: { form in
                    View("form", ["name": form["name"], "fault": form.message ?? ""])
                }
            }
            routes.post(Path("/collected"), body: .streamed) { request in
                var request = request
                request.body = try await request.body.collect(upTo: 1000)
                return try request.decode(Input.self).name
            }
            routes.post(Path("/handled/collected"), body: .streamed) { request in
                var request = request
                request.body = try await request.body.collect(upTo: 1000)
                return try await request.handleForm(Input.self) { input in
                    .text(input.name)
                } invalid: { form in
                    View("form", ["name": form["name"], "fault": form.message ?? ""])
                }
            }
            routes.post(Path("/limits"), body: .streamed) { request in
                try await request.decode(Input.self, limits: MultipartLimits()).name
            }
            routes.post(Path("/decoded"), body: .streamed) { request in try request.decode(Input.self).name }
            routes.post(Path("/ruled"), body: .streamed) { request in
                try await request.decode(Input.self) { _, _ in }.name
            }
            routes.post(Path("/form"), body: .streamed) { request in try request.form()["name"] ?? "-" }
            routes.post(Path("/read"), Input.self, body: .streamed) { _, input in input }
        }
    }

    struct Sample: Sendable, CustomTestStringConvertible {
        let type: String
        let body: @Sendable (String) -> String

        var testDescription: String { type }
    }

    static let urlEncoded = Sample(type: "application/x-www-form-urlencoded") { "name=\($0)" }
    static let samples = [
        urlEncoded, Sample(type: "application/json") { "{\"name\":\"\($0)\"}" },
        Sample(type: "multipart/form-data; boundary=X") {
            "--X\r\nContent-Disposition: form-data; name=name\r\n\r\n\($0)\r\n--X--\r\n"
        },
    ]

    /// The responses to a body that comes whole, and to the same as a stream.
    private static func post(
        _ sample: Sample, _ name: String, to path: String, _ client: TestClient
    ) async throws -> [WireClient.Response] {
        let body = Array(sample.body(name).utf8)
        let whole = try await client.post(path, headers: [.contentType: sample.type], body: body)
        let chunk = Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8)
        let headers: Headers = [.contentType: sample.type, .transferEncoding: "chunked"]
        return [whole, try await client.post(path, headers: headers, body: chunk)]
    }

    @Test(arguments: samples)
    func `a form without limits is read, however it comes`(sample: Sample) async throws {
        let client = try Self.client()
        for path in ["/handled", "/collected", "/handled/collected", "/limits"] {
            for response in try await Self.post(sample, "Nest", to: path, client) {
                #expect(response.status == .ok && response.text == "Nest", "\(path): \(response.text)")
            }
        }
    }

    @Test(arguments: samples)
    func `without limits it may be as large as on a route that collects it`(sample: Sample) async throws {
        let client = try Self.client()
        let long = String(repeating: "x", count: 110)
        let isTyped = sample.type == Self.urlEncoded.type
        for response in try await Self.post(sample, long, to: "/handled", client) {
            #expect(response.status == (isTyped ? .contentTooLarge : .ok))
        }
        for response in try await Self.post(sample, long + long, to: "/handled", client) {
            #expect(response.status == .contentTooLarge)
        }
        for response in try await Self.post(sample, long + long, to: "/handled/collected", client) {
            #expect(response.status == .ok)
        }
    }

    @Test(arguments: samples, ["/decoded", "/ruled", "/read", "/form"])
    func `what reads it at once is told to collect it, however it comes`(
        sample: Sample, path: String
    ) async throws {
        if path == "/form", sample.type == "application/json" { return }
        let log = LogLines()
        for response in try await Self.post(sample, "Nest", to: path, Self.client(log)) {
            #expect(response.status == .internalServerError)
        }
        #expect(log.all.count { $0.contains("body.collect(upTo:)") } == 2, "\(log.all)")
    }
}
