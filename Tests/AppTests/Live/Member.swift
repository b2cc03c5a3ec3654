import FoundationEssentials
import HTTPTypes
import Roost
import RoostTesting
import Synchronization
import Testing

/// A person who has signed in to a site in its own process, or to one of several instances.
struct Member: Sendable {
    let client: WireClient
    let cookie: String

    /// Signs in at a port.
    init(port: Int) async throws {
        client = WireClient(port: port)
        let response = try await client.request(
            .post,
            "/login",
            headers: [.contentType: "application/json"],
            body: Array(#"{"email":"test@example.com","password":"123456"}"#.utf8)
        )
        let session = response.headers[values: .setCookie].first { $0.hasPrefix("session=") }
        let field = try #require(session, "\(response.status) \(response.text)")
        cookie = String(field.prefix { $0 != ";" })
    }

    init(_ site: SiteProcess) async throws { try await self.init(port: site.port) }

    private init(_ client: WireClient, _ cookie: String) {
        self.client = client
        self.cookie = cookie
    }

    /// The same person at another instance.
    func at(port: Int) -> Member { Member(WireClient(port: port), cookie) }

    /// Whether the site knows the person.
    func isKnown() async throws -> Bool {
        try await client.get("/home", headers: [.cookie: cookie]).text.contains("test@example.com")
    }

    func rename(_ id: Int, to name: String) async throws {
        let headers: Headers = [.contentType: "application/json", .cookie: cookie]
        let body = Array(#"{"name":"\#(name)"}"#.utf8)
        let response = try await client.request(.patch, "/users/\(id)", headers: headers, body: body)
        #expect(response.status == .ok)
    }

    func remove(_ id: Int) async throws {
        let response = try await client.request(.delete, "/users/\(id)", headers: [.cookie: cookie])
        #expect(response.status == .noContent)
    }

    func add(_ name: String) async throws -> WireClient.Response {
        try await client.request(
            .post,
            "/users",
            headers: [.contentType: "application/json", .cookie: cookie],
            body: Array(#"{"name":"\#(name)"}"#.utf8)
        )
    }
}

/// Names that several tasks collect.
final class Names: Sendable {
    private let names: Mutex<Set<String>>

    init(_ names: Set<String>) { self.names = Mutex(names) }

    var all: Set<String> { names.withLock { $0 } }

    /// Adds a name; returns how many there are now.
    @discardableResult
    func insert(_ name: String) -> Int {
        names.withLock { names in
            names.insert(name)
            return names.count
        }
    }
}

extension WireClient {
    /// The names of all users, from all pages of the list.
    func userNames() async throws -> Set<String> {
        struct Entry: Decodable { let id: Int, name: String }
        var names: Set<String> = []
        var last = 0
        while true {
            let response = try await get("/users?limit=200&after=\(last)")
            let entries = try JSONDecoder().decode([Entry].self, from: Data(response.body))
            guard let end = entries.last else { return names }
            names.formUnion(entries.map(\.name))
            last = end.id
        }
    }
}
