import Engines
import FoundationEssentials
import RoostSQL
import Testing

@Suite("Inserts", .timeLimit(.minutes(5)))
struct InsertTests {
    @Test(arguments: Engine.allCases)
    func `an insert may end with a semicolon or a comment, and come from elsewhere`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            let inserts: [SQL] = [
                "INSERT INTO users (name) VALUES (\("a"))",
                "INSERT INTO users (name) VALUES (\("b"));",
                "INSERT INTO users (name) VALUES (\("c")) ;\n ; ",
                "INSERT INTO users (name) VALUES (\("d")) -- the last; of all",
                "INSERT INTO users (name) VALUES (\("e")) /* with -- */",
                "INSERT INTO users (name) VALUES (';--f;') ",
                SQL(unchecked: "INSERT INTO users (name) VALUES ($1)", bindings: [.text("g")]),
                SQL(unchecked: "INSERT INTO users (name) VALUES ($1);", bindings: [.text("h")]),
            ]
            for (number, insert) in inserts.enumerated() {
                let id = try await database.insert(insert)
                #expect(id == 3 + number, "\(insert.text)")
            }
            let names = try await database.query("SELECT name FROM users WHERE id > 2 ORDER BY id", as: String.self)
            #expect(names == ["a", "b", "c", "d", "e", ";--f;", "g", "h"])
            let wrong = await #expect(throws: DatabaseError.self) {
                try await database.insert("INSERT INTO users (name) VALUES (\(Date(timeIntervalSince1970: 1e13)))")
            }
            guard case .invalidValue = wrong else { return _ = Issue.record("\(String(describing: wrong))") }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a row whose id is no number is inserted once, without an error`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await database.execute("CREATE TABLE eggs (id \(literal: engine == .sqlite ? "TEXT" : "UUID"), n INT)")
            let id = try await database.insert("INSERT INTO eggs VALUES (\(UUID()), 1)")
            // SQLite gives the hidden number of the row.
            #expect(id == (engine == .sqlite ? 1 : nil))
            try await database.transaction { _ = try await $0.insert("INSERT INTO eggs VALUES (\(UUID()), 2)") }
            #expect(try await database.query("SELECT n FROM eggs ORDER BY n", as: Int.self) == [1, 2])
        }
    }
}
