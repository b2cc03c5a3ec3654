import RoostTesting
import Testing

@testable import Roost

/// The site's description of its API.
@Suite(.timeLimit(.minutes(5)))
struct `The site's description` {
    @Test(.quietLog) func `has the users, with what a program needs to change them`() async throws {
        let document = try await Site.visitor().get("/openapi.json").json(Roost.JSONValue.self)
        let add = document["paths"]?["/users"]?["post"]
        #expect(add?["security"] == [["bearer": ["users:write"]], ["cookie": []]])
        #expect(add?["responses"]?["201"]?["headers"]?["Location"] != nil)
        let name = document["components"]?["schemas"]?["UserInput"]?["properties"]?["name"]
        #expect(name?["minLength"] == 1)
        #expect(document["components"]?["schemas"]?["UserInput"]?["required"] == ["name"])
        #expect(add?["parameters"]?.elements.first?["name"] == "Idempotency-Key")
        #expect(document["paths"]?["/users/{id}/delete"] == nil)
        #expect(document["paths"]?["/users/{id}"]?["post"]?["responses"]?["412"] != nil)
        #expect(document["paths"]?["/login"] == nil)
        let events = document["paths"]?["/users/events"]?["get"]?["summary"]?.text ?? ""
        for kind in ["added", "renamed", "pictured", "removed"] { #expect(events.contains("`\(kind)`"), "\(events)") }
    }

    @Test(.quietLog) func `has a page that a strict policy allows`() async throws {
        let client = try Site.visitor()
        let page = try await client.get("/api-docs", headers: Site.browser)
        #expect(page.status == .ok)
        #expect(page.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'self'") == true)
        #expect(page.text.contains("Renames a user."))
        for file in ["style.css", "try.js"] { #expect(try await client.get("/api-docs/" + file).status == .ok) }
    }

    @Test(.quietLog) func `has no stop of the Tab key at code, because it is wrapped`() async throws {
        let page = try await Site.visitor().get("/api-docs", headers: Site.browser).text
        #expect(page.contains("<pre>") && !page.contains("tabindex"))
    }

    @Test(.quietLog) func `lets a program repeat the request that adds a user`() async throws {
        let client = try await Site.member()
        let headers: Headers = [HTTPField.Name("Idempotency-Key") ?? .eTag: "\"first\""]
        let first = try await client.post("/users", json: ["name": "Ada"], headers: headers)
        let again = try await client.post("/users", json: ["name": "Ada"], headers: headers)
        #expect(first.status == .created && again.status == .created)
        #expect(again.headers[.location] == first.headers[.location] && again.headers[.eTag] == first.headers[.eTag])
        #expect(again.text == first.text)
        let other = try await client.post("/users", json: ["name": "Bob"], headers: headers)
        #expect(other.status == .unprocessableContent)
    }
}
