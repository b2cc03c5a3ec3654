import Engines
import RoostSQL
import Testing

@Suite("Lists of values", .timeLimit(.minutes(5)))
struct ListTests {
    @Test(arguments: Engine.allCases)
    func `an empty list has nobody in it, so everybody is outside of it`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            func names(_ condition: SQL) async throws -> [String] {
                try await database.query("SELECT name FROM users WHERE \(condition) ORDER BY id", as: String.self)
            }
            let (none, all) = ([Int](), ["Nelson", "Cathy"])
            #expect(try await names("id IN \(list: none)").isEmpty)
            #expect(try await names("id NOT IN \(list: none)") == all)
            #expect(try await names("id not\n in \(list: none) AND name = \("Cathy")") == ["Cathy"])
            #expect(try await names("name = \("Cathy") AND id NOT IN \(list: none)") == ["Cathy"])
            #expect(try await names("name = \("Emil") OR (id + 1) NOT IN \(list: none)") == all)
            #expect(try await names("NULLIF(id, id) NOT IN \(list: none)") == all)
            #expect(try await names("NOT id NOT IN \(list: none)").isEmpty)
            #expect(try await names("id NOT IN \(list: [2])") == ["Nelson"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a list in other parentheses is an error that says so`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            for condition in ["id IN (\(list: [1, 2]))", "id NOT IN (\(list: [1, 2]))"] as [SQL] {
                let error = await #expect(throws: DatabaseError.self) {
                    try await databases[0].query("SELECT id FROM users WHERE \(condition)", as: Int.self)
                }
                let advice = #". A \(list:) has parentheses of its own: write IN \(list: …)."#
                #expect(error?.description.hasSuffix(advice) == true)
            }
        }
    }

    @Test(arguments: Engine.allCases.filter { $0 == .postgresql })
    func `so is one beside a text of the statement's own`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let error = await #expect(throws: DatabaseError.self) {
                try await databases[0].query("SELECT 1 WHERE 'a' IN (\(list: ["a", "b"]))", as: Int.self)
            }
            #expect(error?.description.hasSuffix(#"write IN \(list: …)."#) == true, "\(String(describing: error))")
        }
    }
}
