import HTTPTypes
import Processes
import Roost
import RoostSQL
import RoostTesting
import Testing

// The programs with a database of docs/requests.md, letter for letter.

struct Burrow: Codable, Sendable {
    var id: Int
    var owner: String
    var version: Int

    var tag: EntityTag { EntityTag("\(version)") }
}

struct BurrowInput: Decodable {
    var owner: String
}

struct BurrowAPI: Controller {
    static let one = Path("/burrows/{id}", Int.self)

    let database: Database

    func routes(_ routes: Routes) {
        routes.get(Self.one, use: show)
        routes.patch(Self.one, BurrowInput.self, use: change)
        routes.get(Path("/burrows"), use: export)
    }

    func show(_ request: Request, id: Int) async throws -> Response {
        let burrow = try await find(id)
        let fields: Headers = [.eTag: burrow.tag.description]
        if request.isFresh(burrow.tag) { return Response(.notModified, headers: fields) }
        return .json(burrow, headers: fields)
    }

    func change(_ request: Request, input: BurrowInput, id: Int) async throws -> JSON<Burrow> {
        guard request.isConditional else { throw HTTPError(.preconditionRequired) }
        let shown = try await find(id)
        guard request.ifMatch(shown.tag) else { throw HTTPError(.preconditionFailed) }
        let changed = try await database.first(
            """
            UPDATE burrows SET owner = \(input.owner), version = version + 1
            WHERE id = \(id) AND version = \(shown.version) RETURNING id, owner, version
            """, as: Burrow.self)
        guard let changed else { throw HTTPError(.preconditionFailed) }
        return JSON(changed, headers: [.eTag: changed.tag.description])
    }

    private func find(_ id: Int) async throws -> Burrow {
        let row = try await database.first("SELECT id, owner, version FROM burrows WHERE id = \(id)", as: Burrow.self)
        guard let row else { throw HTTPError(.notFound) }
        return row
    }
}

extension BurrowAPI {
    /// All burrows as JSON lines.
    func export(_ request: Request) -> Response {
        let coder = request.jsonCoder
        let rows = database.stream("SELECT id, owner, version FROM burrows ORDER BY id", as: Burrow.self)
        let lines = rows.map { try coder.encode($0) + [UInt8(ascii: "\n")] }
        return Response(.ok, "application/x-ndjson", Body(stream: lines))
    }
}

/// Those of its programs that need a database; the tests of the page itself compare their text.
@Suite("Rows of the page about requests", .timeLimit(.minutes(5)))
struct RowsPageTests {
    private static func burrows(_ url: String) async throws {
        let database = try openDatabase(url)
        let migrations = [
            Migration(
                "burrows",
                sql: "CREATE TABLE burrows (id ${identity}, owner ${text} NOT NULL, version BIGINT NOT NULL)"),
            Migration("a burrow", sql: "INSERT INTO burrows (owner, version) VALUES ('badger', 1)"),
        ]
        let client = TestClient(
            try Application(services: [database, Migrator(database, migrations)]) { routes in
                routes.add(BurrowAPI(database: database))
            })
        try await states(client)
        let lines = try await client.get("/burrows")
        #expect(lines.headers[.contentType] == "application/x-ndjson")
        #expect(lines.text == #"{"id":1,"owner":"vixen","version":3}"# + "\n")
        try await client.stop()
    }

    /// Changes the burrow twice, with its tags.
    private static func states(_ client: TestClient) async throws {
        #expect(try await client.get("/burrows/1").headers[.eTag] == "\"1\"")
        let same = try await client.get("/burrows/1", headers: [.ifNoneMatch: "\"1\""])
        #expect(same.status == .notModified && same.headers[.eTag] == "\"1\"")
        let change = { (owner: String, fields: Headers) in
            try await client.patch("/burrows/1", json: ["owner": owner], headers: fields)
        }
        #expect(try await change("fox", [:]).status == .preconditionRequired)
        let changed = try await change("fox", [.ifMatch: "\"1\""])
        #expect(changed.status == .ok && changed.headers[.eTag] == "\"2\"")
        #expect(try await change("owl", [.ifMatch: "\"1\""]).status == .preconditionFailed)
        #expect(try await change("vixen", [.ifMatch: "\"1\", \"2\""]).status == .ok)
        #expect(try await client.get("/burrows/1", headers: [.ifNoneMatch: "\"2\""]).status == .ok)
        let missing = try await client.patch("/burrows/2", json: ["owner": "owl"], headers: [.ifMatch: "*"])
        #expect(missing.status == .notFound)
    }

    @Test(.quietLog) func `its programs do what it says`() async throws { try await Self.burrows("sqlite::memory:") }

    @Test(
        .quietLog,
        .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it")
    )
    func `and on a server`() async throws {
        try await Self.burrows(PostgresServer.shared().makeDatabase())
    }
}
