import HTTPTypes
import Roost
import RoostTesting
import Testing

@testable import App

@Suite("The pages of the user list", .quietLog, .eachProtocol, .timeLimit(.minutes(5)))
struct UserListTests {
    /// A member, and 120 users: Nelson, Cathy, User 3, User 4 and so on.
    private static func client() async throws -> TestClient {
        let client = try await Site.member()
        for id in 3...120 {
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
        let client = try await Self.client()
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
        let client = try await Self.client()
        let page = try await client.get("/users?after=50&limit=20", headers: Site.browser)
        #expect(page.text.contains("href=\"/users?limit=20&amp;before=51\" rel=\"prev\""))
        #expect(page.text.contains("href=\"/users?limit=20&amp;after=70\" rel=\"next\""))
        #expect(Self.link("next", page) == "/users?limit=20&after=70")
    }

    @Test func `a search keeps what it searches for`() async throws {
        let client = try await Self.client()
        let first = try await client.get("/users?name=user%201&limit=2")
        #expect(Self.ids(first) == [10, 100])
        let next = try #require(Self.link("next", first))
        #expect(next == "/users?name=user%201&limit=2&after=100.user%20100")
        #expect(Self.ids(try await client.get(next)) == [101, 102])
        let page = try await client.get("/users?name=%3Cb%3E", headers: Site.browser)
        #expect(page.text.contains("No name begins with “&lt;b&gt;”."))
        #expect(page.text.contains("value=\"&lt;b&gt;\""))
    }

    @Test(arguments: [
        "limit=0", "limit=201", "limit=x", "limit=", "limit=99999999999999999999", "after=x", "after=", "after=1.a",
        "after=1&before=2", "name=a&after=1", "before=99999999999999999999",
        "name=\(String(repeating: "x", count: 401))",
    ])
    func `an invalid page of the list is a 400`(query: String) async throws {
        let response = try await Site.visitor().get("/users?\(query)")
        #expect(response.status == .badRequest)
        #expect(response.headers[.contentType] == "application/problem+json")
    }

    @Test(arguments: ["limit=1", "limit=200", "after=-1", "before=5", "name=", "name=NEL", "other=1"])
    func `a valid query gets a response`(query: String) async throws {
        #expect(try await Site.visitor().get("/users?\(query)").status == .ok)
    }
}
