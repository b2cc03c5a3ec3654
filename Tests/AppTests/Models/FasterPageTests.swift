import FoundationEssentials
import Roost
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

// The programs of docs/faster.md, letter for letter.

struct Bird: Codable, Sendable, Equatable {
    let id: Int
    let name: String
    let note: String?
}

extension Bird: SelfWriting {
    func write(to fields: inout Fields) {
        fields.add("id", id)
        fields.add("name", name)
        fields.add("note", note)
    }
}

extension Bird: SQLReadable {
    init(reading columns: inout SQLColumns) throws {
        id = try columns.read("id")
        name = try columns.read("name")
        note = try columns.readIfPresent("note")
    }
}

@Suite("The page about speed", .timeLimit(.minutes(5)))
struct FasterPageTests {
    /// The same members, by what the compiler makes.
    private struct PlainBird: Codable, Sendable, Equatable {
        let id: Int
        let name: String
        let note: String?
    }

    @Test(.quietLog) func `a value that writes and reads itself is the same as one that does not`() async throws {
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))
        try await database.start()
        try await database.execute("CREATE TABLE birds (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT)")
        try await database.execute("INSERT INTO birds (name, note) VALUES ('owl', 'by night'), ('crow', NULL)")
        let birds = try await database.query("SELECT id, name, note FROM birds ORDER BY id", as: Bird.self)
        let plain = try await database.query("SELECT id, name, note FROM birds ORDER BY id", as: PlainBird.self)
        #expect(birds == [Bird(id: 1, name: "owl", note: "by night"), Bird(id: 2, name: "crow", note: nil)])
        #expect(try JSONCoder().string(birds) == JSONCoder().string(plain))
        await database.stop()
    }

    @Test func `its programs are compiled`() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let page = try String(contentsOfFile: Site.root + "/docs/faster.md", encoding: .utf8)
        let blocks = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
        #expect(blocks.count == 3)
        for block in blocks { #expect(source.contains(block), "\(block)") }
    }
}
