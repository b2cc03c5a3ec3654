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
        let body = Array("--X\r\nContent-Disposition: form-data; name=_method\r\n\r\ndelete\r\n--X--".utf8)
        let multipart: Headers = [.contentType: "multipart/form-data; boundary=X"]
        #expect(try await client.post("/", headers: multipart, body: body).text == "POST -")
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
