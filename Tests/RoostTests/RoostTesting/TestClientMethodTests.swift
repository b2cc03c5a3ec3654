import Roost
import RoostTesting
import Testing

@Suite("The test client", .timeLimit(.minutes(5)))
struct TestClientMethodTests {
    private struct Note: Codable, Sendable, Equatable { var text: String }

    private static func client() throws -> TestClient {
        try TestClient { routes in
            routes.put(Path("/note")) { request in JSON(try request.decode(Note.self)) }
            routes.patch(Path("/note")) { request in JSON(try request.decode(Note.self), status: .accepted) }
            routes.delete(Path("/note")) { _ in Response(.noContent) }
            routes.on("PURGE")(Path("/note")) { request in "\(request.method)" }
        }
    }

    @Test func `has every method`() async throws {
        let client = try Self.client()
        let note = Note(text: "milk")
        #expect(try await client.put("/note", json: note).json(Note.self) == note)
        let patched = try await client.patch("/note", json: note)
        #expect(patched.status == .accepted)
        #expect(try patched.json() == note)
        #expect(try await client.delete("/note").status == .noContent)
        #expect(try await client.options("/note").headers[.allow] == "DELETE, OPTIONS, PATCH, PURGE, PUT")
        #expect(try await client.request(#require(HTTPRequest.Method("PURGE")), "/note").text == "PURGE")
    }

    @Test func `writes and reads JSON by the convention of a group`() async throws {
        struct Person: Codable, Equatable { var firstName: String }
        let convention = JSONCoder(keys: .snakeCase)
        let client = try TestClient { routes in
            routes.group(middleware: [JSONConvention(convention)]) { routes in
                routes.post(Path("/people")) { request in JSON(try request.decode(Person.self)) }
            }
        }
        let ann = Person(firstName: "Ann")
        let response = try await client.post("/people", json: ann, using: convention)
        #expect(response.text == #"{"first_name":"Ann"}"#)
        #expect(try response.json(using: convention) == ann)
        #expect(throws: UnexpectedResponse.self) { try response.json(Person.self) }
    }

    @Test func `a test that has a type for its body keeps it`() async throws {
        let client = try TestClient { routes in
            routes.post(Path("/type")) { request in request.headers[.contentType] ?? "none" }
        }
        #expect(try await client.post("/type", json: ["a": 1]).text == "application/json")
        let own: Headers = [.contentType: "application/merge-patch+json"]
        #expect(try await client.post("/type", json: ["a": 1], headers: own).text == "application/merge-patch+json")
        #expect(try await client.post("/type", form: ["a": "b"], headers: own).text == "application/merge-patch+json")
        let parts: [FormPart] = [.field("a", "b")]
        let sent = try await client.post("/type", multipart: parts, headers: own)
        #expect(sent.text == "application/merge-patch+json")
    }

    @Test func `says what is wrong with a body that is not the value`() async throws {
        let client = try Self.client()
        let empty = await #expect(throws: UnexpectedResponse.self) { try await client.options("/note").json(Note.self) }
        #expect(empty?.reason is JSONSyntaxError)
        let error = await #expect(throws: UnexpectedResponse.self) {
            try await client.put("/note", json: Note(text: "milk")).json([Note].self)
        }
        #expect(error?.reason is JSONDecodingError)
        let shown = "\(try #require(error))"
        #expect(shown.contains(" The response is 200 OK\n") && shown.hasSuffix("\n\n{\"text\":\"milk\"}"))
    }

    @Test func `a request has a text as its body, or values in its query`() async throws {
        let client = try TestClient { routes in
            routes.post(Path("/")) { request in try request.body.text }
            routes.get(Path("/")) { request in
                request.query.fields.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
            }
        }
        #expect(try await client.post("/", headers: [.contentType: "text/plain"], body: "\u{E9}gg").text == "\u{E9}gg")
        #expect(try await client.post("/", body: []).text == "")
        #expect(try await client.get("/", query: ["a": "b c"]).text == "a=b c")
        #expect(try await client.get("/?x=1", query: ["a": "&"]).text == "x=1;a=&")
        #expect(try await client.get("/", query: [:]).text == "")
    }

    @Test func `a method that is not a token stops the start`() {
        #expect {
            try Application { routes in routes.on("PUR GE")(Path("/")) { _ in "" } }
        } throws: { error in
            "\(error)".contains(#""PUR GE" is not a method"#)
        }
    }
}
