import RoostTesting
import Testing

@testable import Roost

/// Forms with files, as an application gets them.
@Suite("Forms with files over HTTP", .timeLimit(.minutes(5)))
struct MultipartRequestTests {
    struct Input: Decodable, Validatable {
        var title: String
        var file: UploadedFile?

        mutating func validate(_ check: inout Validation) {
            check("title", &title, .trimmed, .required)
            check("file", file, .required)
        }
    }

    private static let type: Headers = [.contentType: "multipart/form-data; boundary=X"]

    private static func body(_ title: String, _ file: String?) -> [UInt8] {
        let name = "--X\r\nContent-Disposition: form-data; name=title\r\n\r\n\(title)\r\n"
        let part = file.map { "--X\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\n\($0)\r\n" } ?? ""
        return Array("\(name)\(part)--X--\r\n".utf8)
    }

    private static func client() throws -> TestClient {
        try TestClient(
            templates: Templates(sources: ["form": "{{title}}: {{error}}"]),
            middleware: [ErrorPages(logger: LogLines().logger)]
        ) { routes in
            routes.post(Path("/collected")) { request in
                let input = try request.decode(Input.self)
                return "\(input.title) \(input.file?.count ?? 0)"
            }
            routes.post(Path("/fields")) { request in "\(try request.form().fields.map(\.value))" }
            routes.post(Path("/streamed"), body: .streamed) { request in
                let input = try await request.decode(Input.self, limits: MultipartLimits(maximumPartSize: 300_000))
                return "\(input.title) \(input.file?.count ?? 0)"
            }
            routes.post(Path("/parts"), body: .streamed) { request in
                var sizes: [String] = []
                var last: MultipartPart?
                for try await part in try request.multipart() {
                    if part.name == "skipped" { continue }
                    if let last {
                        await #expect(throws: MultipartPartIsOver.self) { try await last.text() }
                    }
                    last = part
                    var size = 0
                    for try await piece in part { size += piece.count }
                    sizes.append("\(part.name) \(size)")
                }
                return sizes.joined(separator: ", ")
            }
            routes.post(Path("/page"), body: .streamed) { request in
                try await request.handleForm(Input.self, limits: MultipartLimits(maximumSize: 1000)) { input in
                    if input.title == "taken" { throw HTTPError(.conflict, field: "title", "This is taken.") }
                    return .text(input.title)
                } invalid: { form in
                    let errors =
                        ["title", "file"].compactMap { form.message(for: $0) } + [form.message].compactMap { $0 }
                    return View("form", ["title": form["title"], "error": errors.joined(separator: " ")])
                }
            }
        }
    }

    @Test func `a form in memory has fields and files`() async throws {
        let client = try Self.client()
        let response = try await client.post("/collected", headers: Self.type, body: Self.body(" Nest ", "12345"))
        #expect(response.text == "Nest 5")
        let long = String(repeating: "x", count: 100_000)
        let large = try await client.post("/collected", headers: Self.type, body: Self.body("Nest", long))
        #expect(large.text == "Nest 100000")
        let fields = try await client.post("/fields", headers: Self.type, body: Self.body("Nest", "12345"))
        #expect(fields.text == #"["Nest"]"#)
    }

    @Test(arguments: [0, 10, 300_000])
    func `a streamed form has files of any size`(size: Int) async throws {
        let file = String(repeating: "x", count: size)
        let response = try await Self.client().post("/streamed", headers: Self.type, body: Self.body("Nest", file))
        #expect(response.text == "Nest \(size)")
    }

    @Test func `a streamed route also takes JSON and forms without files`() async throws {
        let response = try await Self.client().post("/streamed", form: ["title": "Nest"])
        #expect(response.status == .unprocessableContent)
        #expect(response.text.contains(##"{"pointer":"#/file","detail":"Must not be empty."}"##))
        #expect(try await Self.client().post("/streamed", json: ["title": "Nest"]).status == .unprocessableContent)
    }

    @Test func `what is too large is 413, with the part's name`() async throws {
        let file = String(repeating: "x", count: 300_001)
        let response = try await Self.client().post("/streamed", headers: Self.type, body: Self.body("Nest", file))
        #expect(response.status == .contentTooLarge)
        #expect(response.text.contains("#/file"))
    }

    @Test func `parts come one after the other, and what is not read is skipped`() async throws {
        let part = { (name: String, content: String) in
            "--X\r\nContent-Disposition: form-data; name=\(name)\r\n\r\n\(content)\r\n"
        }
        let long = String(repeating: "x", count: 100_000)
        let body = part("a", "1") + part("skipped", long) + part("b", long) + part("skipped", "") + "--X--"
        let response = try await Self.client().post("/parts", headers: Self.type, body: Array(body.utf8))
        #expect(response.text == "a 1, b 100000")
    }

    @Test(arguments: [
        ("text/plain", 415), ("multipart/form-data", 400), ("multipart/form-data; boundary=\"\"", 400),
        ("multipart/form-data; boundary=Y", 400), ("multipart/mixed; boundary=X", 415),
    ])
    func `another body is refused`(type: String, status: Int) async throws {
        for path in ["/parts", "/streamed", "/collected"] {
            let response = try await Self.client().post(
                path, headers: [.contentType: type], body: Self.body("Nest", "1"))
            #expect(response.status.code == status, "\(path)")
        }
    }

    @Test func `a missing boundary and a missing name are told`() async throws {
        for path in ["/parts", "/streamed", "/collected"] {
            let response = try await Self.client().post(
                path, headers: [.contentType: "multipart/form-data"], body: Self.body("Nest", "1"))
            #expect(response.status == .badRequest, "\(path)")
            #expect(response.text.contains("The Content-Type lacks the boundary of the multipart body."), "\(path)")
            let nameless = "--X\r\nContent-Disposition: form-data\r\n\r\nb\r\n--X--"
            let other = try await Self.client().post(path, headers: Self.type, body: Array(nameless.utf8))
            #expect(other.status == .badRequest, "\(path)")
            #expect(other.text.contains("A part of the form has no name."), "\(path)")
        }
    }

    // MARK: A form that is shown again

    @Test func `a browser sees the form again, with what was typed`() async throws {
        let headers: Headers = [.contentType: "multipart/form-data; boundary=X", .accept: "text/html"]
        let client = try Self.client()
        let missing = try await client.post("/page", headers: headers, body: Self.body("Oak", nil))
        #expect(missing.status == .unprocessableContent)
        #expect(missing.headers[.contentType] == "text/html; charset=utf-8")
        #expect(missing.text == "Oak: Must not be empty.")
        let taken = try await client.post("/page", headers: headers, body: Self.body("taken", "1"))
        #expect(taken.status == .conflict)
        #expect(taken.text == "taken: This is taken.")
        let large = try await client.post(
            "/page", headers: headers, body: Self.body("Oak", String(repeating: "x", count: 1000)))
        #expect(large.status == .contentTooLarge)
        #expect(large.text == "Oak: Must be no larger than 1000 bytes.")
        #expect(try await client.post("/page", headers: headers, body: Self.body("Oak", "1")).text == "Oak")
    }

    @Test func `a program gets problem details with pointers`() async throws {
        let response = try await Self.client().post("/page", headers: Self.type, body: Self.body("", nil))
        #expect(response.status == .unprocessableContent)
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(response.text.contains(##"{"pointer":"#/title","detail":"Must not be empty."}"##))
        #expect(response.text.contains(##"{"pointer":"#/file","detail":"Must not be empty."}"##))
        let json = try await Self.client().post("/page", json: ["title": "taken"])
        #expect(json.headers[.contentType] == "application/problem+json")
    }

    @Test func `a form without files comes back whatever its sender prefers`() async throws {
        let response = try await Self.client().post("/page", form: ["title": " "])
        #expect(response.text == " : Must not be empty. Must not be empty.")
    }

    @Test func `a text that would take long to compare is not shown again`() async throws {
        let title = String(repeating: "\u{301}\u{323}", count: 300)
        let response = try await Self.client().post("/page", form: ["title": title])
        #expect(response.status == .unprocessableContent)
        #expect(response.text == ": Has too many combining marks in a row.")
        for path in ["/collected", "/fields", "/streamed"] {
            let response = try await Self.client().post(path, headers: Self.type, body: Self.body(title, "1"))
            #expect(response.status == .unprocessableContent, "\(path)")
        }
    }
}
