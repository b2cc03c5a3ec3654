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
    func `the query of a form's action names the method`(name: String, method: String) async throws {
        let response = try await Self.client().post("/?_method=\(name)", form: ["a": "b"])
        #expect(response.text == "\(method) b")
    }

    @Test(arguments: ["get", "options", "x", "", "PUT+"])
    func `no other method can be asked for`(name: String) async throws {
        #expect(try await Self.client().post("/?_method=\(name)", form: [:]).status == .badRequest)
    }

    @Test func `only a POST with a form is looked at`() async throws {
        let client = try Self.client()
        #expect(try await client.put("/?_method=delete", form: ["a": "b"]).text == "PUT b")
        #expect(try await client.get("/?_method=delete").text == "GET ")
        #expect(try await client.post("/?_method=delete", json: ["a": "b"]).text == "POST ")
        #expect(try await client.post("/", form: ["_method": "delete", "a": "b"]).text == "POST b")
        let header: Headers = [.known("X-HTTP-Method-Override"): "DELETE"]
        #expect(try await client.post("/", form: ["a": "b"], headers: header).text == "POST b")
    }

    @Test func `a form without fields, and one with files, may ask for it`() async throws {
        let client = try Self.client()
        #expect(try await client.post("/?_method=delete", form: [:]).text == "DELETE -")
        let file = FormPart.file("f", "f.txt", Array(repeating: 65, count: 100))
        #expect(try await client.post("/?_method=put", multipart: [file, .field("a", "b")]).text == "PUT b")
    }

    @Test func `a form that comes late goes to its route as a stream`() async throws {
        let client = try TestClient(middleware: [MethodOverride()]) { routes in
            routes.put(Path("/"), body: .streamed) { request in
                var size = 0
                for try await piece in request.body { size += piece.count }
                return "PUT \(size)"
            }
        }
        let connection = try await client.connect()
        defer { connection.close() }
        try await connection.send(
            "POST /?_method=put HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\n\r\n")
        try await connection.send("a=b")
        #expect(try await connection.readResponse(to: .post).text == "PUT 3")
    }

    @Test(arguments: ["cross-site", "same-site"])
    func `the protection from other sites decides before`(site: String) async throws {
        let headers: Headers = [.secFetchSite: site]
        let response = try await Self.client().post("/?_method=delete", form: [:], headers: headers)
        #expect(response.status == .forbidden)
    }
}
