import RoostTesting
import Testing

@testable import Roost

/// A form that `handleForm` shows again.
@Suite("A refused form", .quietLog, .timeLimit(.minutes(5)))
struct FormHandlingTests {
    private struct Input: Decodable {
        var title: String
        var file: UploadedFile?
        var note: String?
    }

    /// An error of another layer, as a driver's is.
    private struct Taken: ResponseError {
        let httpError: HTTPError? = HTTPError(.conflict, field: "title", "This is taken.")
    }

    /// A failure of another layer, as a driver's is.
    private struct Full: ResponseError, CustomStringConvertible {
        let httpError: HTTPError? = HTTPError(.serviceUnavailable)
        let description = "The disk is full."
    }

    private static let headers: Headers = [.contentType: "multipart/form-data; boundary=X", .accept: "text/html"]

    private static func client(_ limits: MultipartLimits? = MultipartLimits()) throws -> TestClient {
        let template = "{{title}}|{{note}}|{{titleFault}}|{{fileFault}}|{{fault}}"
        return try TestClient(
            templates: Templates(sources: ["form": template]), middleware: [ErrorPages(logger: LogLines().logger)]
        ) { routes in
            routes.post(Path("/"), body: limits == nil ? .collected : .streamed) { request in
                try await request.handleForm(Input.self, limits: limits) { input in
                    if input.title == "taken" { throw Taken() }
                    return .text(input.title)
                } invalid: { form in
                    View(
                        "form",
                        [
                            "title": form["title"], "note": form["note"],
                            "titleFault": form.message(for: "title") ?? "",
                            "fileFault": form.message(for: "file") ?? "", "fault": form.message ?? "",
                        ])
                }
            }
        }
    }

    private static func body(title: String, file: Int) -> [UInt8] {
        let field = { (name: String, value: String) in
            "--X\r\nContent-Disposition: form-data; name=\(name)\r\n\r\n\(value)\r\n"
        }
        let bytes = String(repeating: "x", count: file)
        let part = "--X\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\n\(bytes)\r\n"
        return Array((field("title", title) + part + field("note", "soon") + "--X--").utf8)
    }

    @Test func `shows what another layer's error means`() async throws {
        let response = try await Self.client(nil).post("/", form: ["title": "taken"], headers: [.accept: "text/html"])
        #expect(response.status == .conflict)
        #expect(response.text == "taken||This is taken.||")
    }

    @Test func `is logged where it shows a failure of the server, and speaks the visitor's language`() async throws {
        let log = LogLines()
        let german = MessageTable("de", ["Service Unavailable": "Nicht erreichbar"])
        let client = try TestClient(
            templates: Templates(sources: ["form": "{{title}}|{{fault}}"]),
            middleware: [Languages([.english, german]), ErrorPages(logger: log.logger)]
        ) { routes in
            routes.post(Path("/")) { request in
                let statuses = InvalidForm.statuses.union([.serviceUnavailable])
                return try await request.handleForm(Input.self, showing: statuses) { input in
                    if input.title == "taken" { throw Taken() }
                    throw Full()
                } invalid: { form in
                    View("form", ["title": form["title"], "fault": form.message ?? ""])
                }
            }
        }
        let headers: Headers = [.accept: "text/html", .acceptLanguage: "de"]
        #expect(try await client.post("/", form: ["title": "taken"], headers: headers).status == .conflict)
        #expect(log.all.isEmpty)
        let response = try await client.post("/", form: ["title": "Nest"], headers: headers)
        #expect(response.status == .serviceUnavailable)
        #expect(response.text == "Nest|Nicht erreichbar")
        #expect(log.allWithLevels == ["error 127.0.0.1 POST /: The disk is full."])
    }

    @Test func `keeps what was typed around a file that is too large`() async throws {
        let client = try Self.client(MultipartLimits(maximumPartSize: 2048))
        let response = try await client.post("/", headers: Self.headers, body: Self.body(title: "Nest", file: 200_000))
        #expect(response.status == .contentTooLarge)
        #expect(response.text == "Nest|soon||Must be no larger than 2 KiB.|")
    }

    @Test func `keeps what was typed before a form that is too large`() async throws {
        let client = try Self.client(MultipartLimits(maximumSize: 65_536))
        let body = Self.body(title: "Nest", file: 200_000)
        let response = try await client.post("/", headers: Self.headers, body: body)
        #expect(response.status == .contentTooLarge)
        #expect(response.text == "Nest|||Must be no larger than 64 KiB.|")
        var chunked = Self.headers
        chunked[.transferEncoding] = "chunked"
        let chunk = Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8)
        let streamed = try await client.post("/", headers: chunked, body: chunk)
        #expect(streamed.text == response.text)
    }

    @Test func `tells a program the same, with the field`() async throws {
        let client = try Self.client(MultipartLimits(maximumPartSize: 2048))
        var headers = Self.headers
        headers[.accept] = nil
        let response = try await client.post("/", headers: headers, body: Self.body(title: "Nest", file: 200_000))
        #expect(response.status == .contentTooLarge)
        #expect(response.text.contains(##"{"pointer":"#/file","detail":"Must be no larger than 2 KiB."}"##))
    }
}
