import Engines
import RoostSQL
import Testing

@Suite("LIKE with a text", .timeLimit(.minutes(5)))
struct ContainingTests {
    @Test(arguments: Engine.allCases)
    func `it finds the text anywhere, and its signs stand for themselves`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            let names = ["100 %", "a_b", #"c\d"#, "è un nido"]
            for name in names { try await database.execute("INSERT INTO users (name) VALUES (\(name))") }
            func found(_ text: String) async throws -> [String] {
                try await database.query(
                    "SELECT name FROM users WHERE name LIKE \(containing: text) AND id < \(100) ORDER BY id",
                    as: String.self)
            }
            #expect(try await found("%") == ["100 %"])
            #expect(try await found("_") == ["a_b"])
            #expect(try await found(#"\"#) == [#"c\d"#])
            #expect(try await found("è un") == ["è un nido"])
            #expect(try await found("els") == ["Nelson"])
            #expect(try await found("' OR 1 = 1 --").isEmpty)
            #expect(try await found("") == ["Nelson", "Cathy"] + names)
        }
    }
}
