import Engines
import FoundationEssentials
import Roost
import RoostSQL
import Testing

@Suite("Columns of JSON", .timeLimit(.minutes(5)))
struct JSONColumnTests {
    private struct Settings: Codable, Sendable, Equatable {
        var color: String
        var since: Date
    }

    private struct Post: Codable, Sendable, Equatable {
        let id: Int
        let tags: JSONColumn<[String]>
        let settings: JSONColumn<Settings>?
    }

    @Test(arguments: Engine.allCases)
    func `a list and a struct are kept in one column each`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let (database, type) = (databases[0], engine == .sqlite ? "TEXT" : "JSONB" as SQL)
            try await database.execute("CREATE TABLE posts (id INT NOT NULL, tags TEXT NOT NULL, settings \(type))")
            let settings = JSONColumn(Settings(color: "é \"blue\"", since: Date(timeIntervalSince1970: 1.5)))
            let posts = [
                Post(id: 1, tags: JSONColumn(["a", "b"]), settings: settings),
                Post(id: 2, tags: JSONColumn([]), settings: nil),
            ]
            for post in posts {
                try await database.execute("INSERT INTO posts VALUES (\(post.id), \(post.tags), \(post.settings))")
            }
            let sql: SQL = "SELECT id, tags, settings FROM posts ORDER BY id"
            #expect(try await database.query(sql, as: Post.self) == posts)
            let tags = try await database.query("SELECT tags FROM posts ORDER BY id", as: JSONColumn<[String]>.self)
            #expect(tags.map(\.value) == [["a", "b"], []])
            try await database.execute("UPDATE posts SET tags = '[1]'")
            let error = await #expect(throws: DatabaseError.self) { try await database.first(sql, as: Post.self) }
            guard case .column("tags", _) = error else { return _ = Issue.record("\(String(describing: error))") }
        }
    }

    @Test func `elsewhere it is the value itself`() throws {
        let post = Post(id: 1, tags: JSONColumn(["a"]), settings: nil)
        let bytes = try JSONCoder().encode(post)
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"id":1,"tags":["a"]}"#)
        #expect(try JSONCoder().decode(Post.self, from: bytes) == post)
    }

    @Test func `elsewhere it has the form that a coder gives the type of its value`() throws {
        struct Parts: Codable, Equatable {
            var date = JSONColumn(Date(timeIntervalSince1970: 1))
            var url = JSONColumn(URL(string: "https://a.b/c"))
            var data = JSONColumn(Data([1, 2]))
            var price = JSONColumn(Decimal(sign: .plus, exponent: -1, significand: 15))
            var none = JSONColumn(Int?.none)
        }
        let bytes = try JSONCoder().encode(Parts())
        let json = #"{"date":"1970-01-01T00:00:01Z","url":"https://a.b/c","data":"AQI=","price":1.5,"none":null}"#
        #expect(String(decoding: bytes, as: UTF8.self) == json)
        #expect(try JSONCoder().decode(Parts.self, from: bytes) == Parts())
    }

    private enum Color: String, Codable, CaseIterable, Sendable { case red, blue }

    private struct Paint: Codable, Sendable, Validatable {
        var name: String
        mutating func validate(_ check: inout Validation) { check("name", &name, .required) }
    }

    private struct Wall: Codable, Sendable, Validatable {
        var color: JSONColumn<Color>
        var paint: JSONColumn<Paint>
        mutating func validate(_ check: inout Validation) { check("paint", &paint) }
    }

    @Test func `it is described and checked as its value`() throws {
        _ = try Application(api: APIDescription(title: "Walls", version: "1")) { routes in
            routes.group(Path("/api"), described: true) { api in
                api.post(Path("/walls"), Wall.self) { _, wall in JSON(wall) }
            }
        }
        let wall = Wall(color: JSONColumn(.red), paint: JSONColumn(Paint(name: "")))
        #expect(throws: HTTPError.self) { try wall.checked() }
    }

    @Test func `what JSON cannot hold is no value`() {
        let error = #expect(throws: DatabaseError.self) { try JSONColumn([Double.nan]).sqlValue }
        guard case .invalidValue = error else { return _ = Issue.record("\(String(describing: error))") }
    }

    @Test func `the error of a column that is read as a list names it`() async throws {
        struct Bare: Decodable, Sendable { let tags: [String] }
        try await Engine.sqlite.run { (databases) async throws in
            let error = await #expect(throws: DatabaseError.self) {
                try await databases[0].first("SELECT '[]' AS tags", as: Bare.self)
            }
            #expect(error?.description.hasSuffix("no array, except for [UInt8]. Keep it as a JSONColumn.") == true)
        }
    }
}
