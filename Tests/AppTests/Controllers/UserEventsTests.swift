import FoundationEssentials
import Processes
import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import App

/// `GET /users/events`, wherever the users are stored.
@Suite("Events of the list", .timeLimit(.minutes(5)))
struct UserEventsTests {
    private static let kinds = PostgresServer.isInstalled ? ["sqlite", "postgresql"] : ["sqlite"]

    private func member(_ kind: String) async throws -> TestClient {
        let database: DatabaseURL =
            switch kind {
            case "postgresql": .postgresql(try await PostgresServer.shared().makeDatabase())
            default: .sqlite(path: ":memory:")
            }
        let client = try Site.visitor(database: database)
        _ = try await client.post("/login", form: ["email": "test@example.com", "password": "123456"])
        return client
    }

    /// A connection that follows the list, in HTTP/1.0, which has no chunks.
    private func follow(_ client: TestClient, _ query: String = "", id: String? = nil) async throws -> HTTPConnection {
        let connection = try await client.connect()
        let field = id.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        try await connection.send("GET /users/events\(query) HTTP/1.0\r\n\(field)\r\n")
        return connection
    }

    /// Reads until a number of events has come and the stream's place is known.
    private func read(_ connection: HTTPConnection, _ count: Int) async throws -> EventStreamReader {
        var (reader, text) = (EventStreamReader(), [UInt8]())
        while true {
            text += try await connection.receive()
            guard let head = text.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            reader = EventStreamReader()
            reader.read(Array(text[head.upperBound...]))
            if reader.events.count >= count, !reader.lastID.isEmpty { return reader }
        }
    }

    @Test(arguments: kinds)
    func `what changes is told, with the user as JSON and an increasing id`(kind: String) async throws {
        let client = try await member(kind)
        let connection = try await follow(client)
        let place = try await read(connection, 0).lastID
        _ = try await client.post("/users", json: ["name": "Ada \"A\" \\ ü"])
        _ = try await client.patch("/users/3", json: ["name": "Grace"])
        // The name that it has already.
        _ = try await client.patch("/users/3", json: ["name": "Grace"])
        _ = try await client.delete("/users/3")
        _ = try await client.delete("/users/3")
        _ = try await client.post("/users", json: ["name": ""])
        _ = try await client.post("/users", json: ["name": "end"])
        let second = try await follow(client, "?after=\(place)")
        let events = try await read(second, 4).events
        #expect(events.map(\.type) == ["added", "renamed", "removed", "added"])
        #expect(
            events.map(\.data) == [
                #"{"id":3,"name":"Ada \"A\" \\ ü"}"#, #"{"id":3,"name":"Grace"}"#, #"{"id":3,"name":"Grace"}"#,
                #"{"id":4,"name":"end"}"#,
            ]
        )
        let first = try #require(Int(place))
        #expect(events.map(\.lastID) == (1...4).map { "\(first + $0)" })
        let third = try await follow(client, "?after=1", id: events[1].lastID)
        #expect(try await read(third, 2).events == Array(events.dropFirst(2)))
        for open in [connection, second, third] { open.close() }
        try await client.stop()
    }

    @Test(arguments: kinds)
    func `a page follows the picture of its user, and a new one has an address of its own`(kind: String) async throws {
        let client = try await member(kind)
        let page = try await client.live("/users/1")
        let type: Headers = [.contentType: "multipart/form-data; boundary=X"]
        var pictures: [String] = []
        for _ in 1...2 {
            let made = try await client.post("/users/1/picture", headers: type, body: PictureControllerTests.gifForm)
            #expect(made.status.code < 300)
            try await page.next()
            pictures.append(try #require(page.outerHTML(of: "user")?.components(between: "src=\"", and: "\"").first))
            #expect(try await client.get(pictures[pictures.count - 1]).headers[.contentType] == "image/gif")
        }
        #expect(pictures[0] != pictures[1])
        #expect(try await client.delete("/users/1/picture").status == .noContent)
        try await page.next()
        #expect(page.outerHTML(of: "user")?.contains("<img") == false)
        #expect(page.news == Array(repeating: "The picture of Nelson has changed.", count: 3))
        try await client.stop()
    }

    @Test(arguments: kinds)
    func `one who has missed something begins with a reset`(kind: String) async throws {
        let client = try await member(kind)
        for id in ["1", "99999999999999999", "x", "-1", "1\t2"] {
            let connection = try await follow(client, id: id)
            let events = try await read(connection, 1).events
            #expect(events.map(\.type) == ["reset"])
            #expect(events.first.flatMap { Int($0.lastID) } != nil)
            connection.close()
        }
        try await client.stop()
    }

    /// It may begin a little earlier, since a change can be in the list before this instance has read its event.
    @Test func `a page begins no later than its list was read`() async throws {
        let client = try await member("sqlite")
        _ = try await client.post("/users", json: ["name": "Ada"])
        let connection = try await follow(client)
        let place = try #require(Int(try await read(connection, 0).lastID))
        let text = try await client.get("/users", headers: Site.browser).text
        let mark = " data-after=\""
        let start = try #require(text.firstRange(of: mark)?.upperBound)
        let after = try #require(Int(text[start...].prefix { $0 != "\"" }))
        #expect(after <= place)
        let follower = try await follow(client, "?after=\(after)")
        let events = try await read(follower, place - after).events
        #expect(events.compactMap { Int($0.lastID) } == Array(after..<place).map { $0 + 1 })
        follower.close()
        connection.close()
        try await client.stop()
    }
}
