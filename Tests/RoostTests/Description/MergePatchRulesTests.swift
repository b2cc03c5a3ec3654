import Roost
import RoostTesting
import Testing

@Suite("Rules of a merge patch", .quietLog, .timeLimit(.minutes(5)))
struct MergePatchRulesTests {
    struct Town: Decodable, Sendable, Validatable {
        var name: String

        mutating func validate(_ check: inout Validation) { check("name", &name, .required) }
    }

    struct Patch: Decodable, Sendable, Validatable {
        var tree: MergePatch<String>
        var eggs: MergePatch<Int>
        var kind: MergePatch<String>
        var town: MergePatch<Town>

        mutating func validate(_ check: inout Validation) {
            check("tree", &tree, .trimmed, .required, .length(...9))
            check("eggs", eggs, .required, .range(0...12))
            check("kind", &kind, .oneOf(["owl", "stork"]))
            check("town", &town)
        }
    }

    struct Name: Decodable, Sendable { var name: String }

    private static func client() throws -> TestClient {
        let application = try Application(api: APIDescription(title: "Nests", version: "1")) { routes in
            routes.patch(Path("/nest"), Patch.self) { _, patch in
                var (tree, eggs) = ("oak", 3)
                patch.tree.apply(to: &tree)
                patch.eggs.apply(to: &eggs)
                return "\(tree) \(eggs)"
            }
            .describe("Changes the nest.")
            routes.put(Path("/nest"), Name.self) { _, name in name.name }.describe("Sets the nest.")
        }
        return TestClient(application)
    }

    @Test(arguments: [
        ("{}", "oak 3"), (#"{"tree":" elm "}"#, "elm 3"), (#"{"kind":null}"#, "oak 3"), (#"{"kind":"owl"}"#, "oak 3"),
        (#"{"eggs":12,"town":{"name":"Ulm"}}"#, "oak 12"), (#"{"town":null}"#, "oak 3"),
    ])
    func `a patch that follows them is applied`(body: String, result: String) async throws {
        let response = try await Self.client().patch(
            "/nest", headers: [.contentType: "application/merge-patch+json"], body: Array(body.utf8))
        #expect(response.text == result)
    }

    @Test(arguments: [
        (#"{"tree":" "}"#, "/tree"), (#"{"tree":null}"#, "/tree"), (#"{"tree":"tttttttttt"}"#, "/tree"),
        (#"{"eggs":null}"#, "/eggs"), (#"{"eggs":13}"#, "/eggs"), (#"{"kind":"cat"}"#, "/kind"),
        (#"{"town":{"name":""}}"#, "/town/name"),
    ])
    func `a patch that breaks them gets 422`(body: String, pointer: String) async throws {
        let response = try await Self.client().patch(
            "/nest", headers: [.contentType: "application/merge-patch+json"], body: Array(body.utf8))
        #expect(response.status == .unprocessableContent)
        #expect(response.text.contains("\"#\(pointer)\""), "\(response.text)")
    }

    @Test func `the description says that a member may be left out, but not which value`() async throws {
        let document = try await Self.client().get("/api/openapi.json").json(JSONValue.self)
        let schema = document["components"]?["schemas"]?["MergePatchRulesTestsPatch"]
        #expect(schema?["required"] == nil)
        #expect(
            schema?["properties"]?["tree"]
                == ["maxLength": 9, "minLength": 1, "pattern": #"\S"#, "type": "string"])
        #expect(schema?["properties"]?["eggs"]?["type"] == "integer")
        #expect(schema?["properties"]?["eggs"]?["maximum"] == 12)
        #expect(schema?["properties"]?["kind"]?["type"] == ["string", "null"])
    }

    @Test func `the description names the type of a merge patch`() async throws {
        let nest = try await Self.client().get("/api/openapi.json").json(JSONValue.self)["paths"]?["/nest"]
        let content = nest?["patch"]?["requestBody"]?["content"]
        #expect(content?["application/json"] != nil)
        #expect(content?["application/merge-patch+json"] == content?["application/json"])
        #expect(nest?["put"]?["requestBody"]?["content"]?["application/merge-patch+json"] == nil)
    }

    @Test func `steps are no patch that is read, and 415 says which is`() async throws {
        let steps: Headers = [.contentType: "application/json-patch+json"]
        let client = try Self.client()
        let refused = try await client.patch("/nest", headers: steps, body: Array("[]".utf8))
        #expect(refused.status == .unsupportedMediaType)
        let name = try #require(HTTPField.Name("Accept-Patch"))
        let accepted = try #require(refused.headers[name])
        #expect(accepted.hasPrefix("application/merge-patch+json, application/json, "))
        let other = try await client.put("/nest", headers: steps, body: Array("{}".utf8))
        #expect(other.status == .unsupportedMediaType)
        #expect(other.headers[name] == nil)
    }

    @Test func `415 names the type of a merge patch in its text, too`() async throws {
        let text: Headers = [.contentType: "text/plain"]
        let client = try Self.client()
        let refused = try await client.patch("/nest", headers: text, body: Array("{}".utf8))
        #expect(refused.status == .unsupportedMediaType)
        let types = "application/merge-patch+json, application/json, "
        #expect(refused.headers[.accept]?.hasPrefix(types) == true)
        #expect(refused.text.contains("The body must be one of: " + types), "\(refused.text)")
        let other = try await client.put("/nest", headers: text, body: Array("{}".utf8))
        #expect(other.status == .unsupportedMediaType && !other.text.contains("merge-patch"))
    }
}
