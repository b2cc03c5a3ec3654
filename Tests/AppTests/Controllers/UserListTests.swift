import HTTPTypes
import Roost
import RoostTesting
import Testing

@testable import App

@Suite("The pages of the user list", .quietLog, .eachProtocol, .timeLimit(.minutes(5)))
struct UserListTests {
    /// A member, and so many users: Nelson, Cathy, User 3, User 4 and so on.
    private static func client(_ count: Int) async throws -> TestClient {
        let client = try await Site.member()
        for id in 3...count {
            #expect(try await client.post("/users", json: ["name": "User \(id)"]).status == .created)
        }
        return client
    }

    /// The URL of a relation in a `Link` field.
    private static func link(_ relation: String, _ response: WireClient.Response) -> String? {
        let links = response.headers[values: .link].flatMap { $0.split(separator: ", ") }
        guard let link = links.first(where: { $0.hasSuffix("; rel=\"\(relation)\"") }) else { return nil }
        return link.split(separator: ">").first.map { String($0.dropFirst()) }
    }

    private static func ids(_ response: WireClient.Response) -> [Int] {
        response.text.split(separator: "\"id\":").dropFirst().compactMap { Int($0.prefix { $0 != "," }) }
    }

    @Test func `a page has 50 users, and links to the next and the previous`() async throws {
        let client = try await Self.client(120)
        let first = try await client.get("/users")
        #expect(Self.ids(first) == Array(1...50))
        #expect(Self.link("next", first) == "/users?after=50")
        #expect(Self.link("prev", first) == nil)
        let second = try await client.get("/users?after=50")
        #expect(Self.ids(second) == Array(51...100))
        let third = try await client.get(try #require(Self.link("next", second)))
        #expect(Self.ids(third) == Array(101...120))
        #expect(Self.link("next", third) == nil)
        let back = try await client.get(try #require(Self.link("prev", third)))
        #expect(Self.ids(back) == Array(51...100))
    }

    @Test func `the page links to them as well`() async throws {
        let client = try await Self.client(12)
        let page = try await client.get("/users?after=5&limit=3", headers: Site.browser)
        #expect(page.text.contains("href=\"/users?limit=3&amp;before=6\" rel=\"prev\""))
        #expect(page.text.contains("href=\"/users?limit=3&amp;after=8\" rel=\"next\""))
        #expect(Self.link("next", page) == "/users?limit=3&after=8")
    }

    @Test func `a search keeps what it searches for`() async throws {
        let client = try await Self.client(12)
        let first = try await client.get("/users?name=user&limit=2")
        #expect(Self.ids(first) == [10, 11])
        let next = try #require(Self.link("next", first))
        #expect(next == "/users?name=user&limit=2&after=11.user%2011")
        // In the order of names, not of ids.
        #expect(Self.ids(try await client.get(next)) == [12, 3])
        let page = try await client.get("/users?name=%3Cb%3E", headers: Site.browser)
        #expect(page.text.contains("No name begins with “&lt;b&gt;”."))
        #expect(page.text.contains("value=\"&lt;b&gt;\""))
    }

    @Test func `an invalid page of the list is a 400`() async throws {
        let client = try Site.visitor()
        for query in [
            "limit=0", "limit=201", "limit=x", "limit=", "limit=99999999999999999999", "after=x", "after=",
            "after=1.a", "after=1&before=2", "name=a&after=1", "before=99999999999999999999",
            "name=\(String(repeating: "x", count: 401))",
        ] {
            let response = try await client.get("/users?\(query)")
            #expect(response.status == .badRequest, "\(query)")
            #expect(response.headers[.contentType] == "application/problem+json", "\(query)")
        }
    }

    @Test func `a valid query gets a response`() async throws {
        let client = try Site.visitor()
        for query in ["limit=1", "limit=200", "after=-1", "before=5", "name=", "name=NEL", "other=1"] {
            #expect(try await client.get("/users?\(query)").status == .ok, "\(query)")
        }
    }
}
