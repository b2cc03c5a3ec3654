import HTTPTypes
import Processes
import Roost
import RoostTesting
import Testing

/// The site's list and search, read from a copy of the database that lags.
@Suite(
    "Read replica",
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(10))
)
struct ReadReplicaTests {
    private func names(_ client: HTTPClient, _ path: String, _ headers: Headers = [:]) async throws -> [String] {
        struct Entry: Decodable { let name: String }
        let response = try await client.get(path, headers: headers)
        #expect(response.status == .ok)
        return try JSONCoder().decode([Entry].self, from: response.body).map(\.name)
    }

    @Test func `the list comes from the copy, one who has written sees that, and without the copy all goes on`()
        async throws
    {
        let primary = try await PostgresServer()
        let copy = try await PostgresServer(following: primary)
        let settings = ["DATABASE_URL": primary.url(), "DATABASE_READ_URL": copy.url()]
        let site = try await SiteProcess.start(settings, under: SiteProcess.quiet)
        let member = try await Member(site)
        let client = member.client
        let (list, search) = ("/users", "/users?name=ad")
        while try await names(client, list) != ["Nelson", "Cathy"] { try Task.checkCancellation() }

        try await copy.setPaused(true)
        let added = try await member.add("Ada")
        #expect(added.status == .created)
        let field = try #require(added.headers[values: .setCookie].first { $0.hasPrefix("seen=") })
        let own: Headers = [.cookie: String(field.prefix { $0 != ";" })]
        #expect(try await names(client, list) == ["Nelson", "Cathy"])
        #expect(try await names(client, search) == [])
        for headers in [own, [.cacheControl: "no-cache"]] {
            #expect(try await names(client, list, headers) == ["Nelson", "Cathy", "Ada"])
            #expect(try await names(client, search, headers) == ["Ada"])
        }
        let path = try #require(added.headers[.location])
        #expect(try await client.get(path).status == .ok)

        // A page that was made from the copy is told of what the copy does not have yet.
        let page = try await client.get(list, headers: [.accept: "text/html"]).text
        #expect(!page.contains("Ada"))
        let before = try #require(page.components(between: "data-after=\"", and: "\"").first.flatMap { Int($0) })
        let now = try await primary.psql("SELECT last_id FROM topics WHERE name = 'users'")
        #expect(now == "\(before + 1)\n")

        try await copy.setPaused(false)
        while try await names(client, list) != ["Nelson", "Cathy", "Ada"] { try Task.checkCancellation() }
        try await copy.kill()
        #expect(try await names(client, list) == ["Nelson", "Cathy", "Ada"])
        #expect(try await names(client, search) == ["Ada"])
        #expect(try await member.add("Grace").status == .created)
        #expect(try await site.terminate() == "0")
    }

    @Test func `a copy that has become the primary is read, too`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        let site = try await SiteProcess.start(
            ["DATABASE_URL": url, "DATABASE_READ_URL": url], under: SiteProcess.quiet)
        let member = try await Member(site)
        #expect(try await member.add("Ada").status == .created)
        #expect(try await names(member.client, "/users") == ["Nelson", "Cathy", "Ada"])
        #expect(try await site.terminate() == "0")
    }
}
