import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

@Suite("Method override", .timeLimit(.minutes(5)))
struct MethodOverrideTests {
    private static func client() throws -> TestClient {
        let middleware: [any Middleware] = [
            ErrorPages(logger: LogLines().logger), CrossOriginProtection(), MethodOverride(),
        ]
        return try TestClient(middleware: middleware) { routes in
            for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
                routes.on(method)(Path("/")) { request in
                    "\(method.rawValue) \(try request.isForm ? request.form()["a"] ?? "-" : "")"
                }
            }
        }
    }

    @Test(arguments: [("put", "PUT"), ("patch", "PATCH"), ("DELETE", "DELETE"), ("post", "POST")])
    func `a form's field names the method`(name: String, method: String) async throws {
        let response = try await Self.client().post("/", form: ["_method": name, "a": "b"])
        #expect(response.text == "\(method) b")
    }

    @Test(arguments: ["get", "options", "x", "", "PUT "])
    func `no other method can be asked for`(name: String) async throws {
        #expect(try await Self.client().post("/", form: ["_method": name]).status == .badRequest)
    }

    @Test func `only a POST with a form is looked at`() async throws {
        let client = try Self.client()
        #expect(try await client.put("/", form: ["_method": "delete", "a": "b"]).text == "PUT b")
        #expect(try await client.get("/?_method=delete").text == "GET ")
        #expect(try await client.post("/?_method=delete", form: ["a": "b"]).text == "POST b")
        #expect(try await client.post("/", json: ["_method": "delete"]).text == "POST ")
        let header: Headers = [.known("X-HTTP-Method-Override"): "DELETE"]
        #expect(try await client.post("/", form: ["a": "b"], headers: header).text == "POST b")
    }

    @Test func `of a form with files, the first field is looked at`() async throws {
        let client = try Self.client()
        let (method, field) = (TestPart.field("_method", "delete"), TestPart.field("a", "b"))
        let file = TestPart.file("f", "f.txt", Array(repeating: 65, count: 100))
        #expect(try await client.post("/", multipart: [method, field, file]).text == "DELETE b")
        #expect(try await client.post("/", multipart: [field, method]).text == "POST b")
        #expect(try await client.post("/", multipart: [file, method, field]).text == "POST b")
        #expect(
            try await client.post("/", multipart: [.file("_method", "x", Array("put".utf8)), field]).text == "POST b")
        #expect(try await client.put("/", multipart: [method, field]).text == "PUT b")
        #expect(try await client.post("/", multipart: [.field("_method", "get"), field]).status == .badRequest)
        let long = TestPart.field("_method", String(repeating: "x", count: 100))
        #expect(try await client.post("/", multipart: [long, field]).text == "POST b")
        for site in ["cross-site", "same-site"] {
            let headers: Headers = [.secFetchSite: site]
            #expect(try await client.post("/", multipart: [method], headers: headers).status == .forbidden)
        }
    }

    @Test func `a form with files that comes late is looked at, and read as a stream from its beginning`() async throws
    {
        let client = try TestClient(middleware: [MethodOverride()]) { routes in
            routes.put(Path("/"), body: .streamed) { request in
                var texts: [String] = []
                for try await part in try request.multipart() {
                    var size = 0
                    for try await piece in part { size += piece.count }
                    texts.append("\(part.name) \(size)")
                }
                return texts.joined(separator: ", ")
            }
            routes.post(Path("/"), body: .collectedUpTo(1 << 20)) { request in "POST \(request.body.count ?? 0)" }
        }
        let head = "Content-Disposition: form-data; name="
        for method in ["put", "post"] {
            let start = "--X\r\n\(head)_method\r\n\r\n\(method)\r\n--X\r\n\(head)f; filename=f\r\n\r\n"
            let content = String(repeating: "x", count: 200_000)
            let end = "\r\n--X--"
            let count = start.utf8.count + content.utf8.count + end.utf8.count
            let connection = try await client.connect()
            try await connection.send(
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(count)\r\n"
                    + "Content-Type: multipart/form-data; boundary=X\r\n\r\n")
            for byte in start { try await connection.send(String(byte)) }
            try await connection.send(content)
            try await connection.send(end)
            let text = try await connection.readResponse(to: .post).text
            #expect(text == (method == "put" ? "_method 3, f 200000" : "POST \(count)"))
            connection.close()
        }
    }

    /// Tells that the head of a request has come.
    private struct Arrival: ImmediateMiddleware {
        let latch = Latch()

        func before(_ request: inout Request) -> Response? {
            latch.open()
            return nil
        }
    }

    @Test func `a form that was looked at and is read in two parts has each byte once`() async throws {
        let arrival = Arrival()
        let client = try TestClient(middleware: [arrival, MethodOverride()]) { routes in
            routes.put(Path("/"), body: .streamed) { request in
                var text = ""
                for try await piece in request.body {
                    text += String(decoding: piece, as: UTF8.self)
                    break
                }
                for try await piece in request.body { text += String(decoding: piece, as: UTF8.self) }
                return text
            }
        }
        let start = "--X\r\nContent-Disposition: form-data; name=_method\r\n\r\nput\r\n--X\r\n"
        let end = "Content-Disposition: form-data; name=f\r\n\r\nx\r\n--X--"
        let connection = try await client.connect()
        defer { connection.close() }
        try await connection.send(
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \((start + end).utf8.count)\r\n"
                + "Content-Type: multipart/form-data; boundary=X\r\n\r\n")
        // A body that has come with its head is no stream, and is read from its beginning each time.
        await arrival.latch.wait()
        try await connection.send(start)
        try await connection.send(end)
        #expect(try await connection.readResponse(to: .post).text == start + end)
    }

    @Test func `the protection from other sites decides before`() async throws {
        for site in ["cross-site", "same-site"] {
            let headers: Headers = [.secFetchSite: site]
            let response = try await Self.client().post("/", form: ["_method": "delete"], headers: headers)
            #expect(response.status == .forbidden)
        }
    }

    @Test func `a form that comes late is waited for`() async throws {
        let connection = try await Self.client().connect()
        let type = "Content-Type: application/x-www-form-urlencoded"
        try await connection.send("POST / HTTP/1.1\r\nHost: localhost\r\n\(type)\r\nContent-Length: 18\r\n\r\n_method=")
        try await connection.send("delete&a=b")
        #expect(try await connection.readResponse(to: .post).text == "DELETE b")
    }

    @Test func `a form that is too large to look at is left alone`() async throws {
        let form: Form = ["_method": "delete", "a": String(repeating: "x", count: 17_000)]
        #expect(try await Self.client().post("/", form: form).status == .contentTooLarge)
    }
}
