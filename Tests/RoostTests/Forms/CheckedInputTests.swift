import Roost
import Testing

@Suite("Rules of what is no body of a request", .timeLimit(.minutes(5)))
struct CheckedInputTests {
    struct Nest: Decodable, Sendable, Validatable {
        var tree: String
        var eggs: Int?

        mutating func validate(_ check: inout Validation) {
            check("tree", &tree, .trimmed, .required)
            check("eggs", eggs, .range(0...12))
        }
    }

    private static func read(_ line: String) throws -> Nest {
        try JSONCoder().decode(Nest.self, from: Array(line.utf8))
    }

    @Test func `a value that follows them is as they leave it`() throws {
        let nest = try Self.read(#"{"tree":" oak ","eggs":12}"#).checked()
        #expect(nest.tree == "oak" && nest.eggs == 12)
    }

    @Test func `a value that breaks them is an error with 422, which names all of it`() throws {
        let nest = try Self.read(#"{"tree":" ","eggs":13}"#)
        let error = #expect(throws: HTTPError.self) { try nest.checked() }
        #expect(error?.status == .unprocessableContent)
        #expect(error?.parts.map(\.pointer) == ["/tree", "/eggs"])
    }

    @Test func `of a list each is checked, in a language`() throws {
        let table = MessageTable("de", ["Must not be empty.": "Darf nicht leer sein."])
        let nests = [try Self.read(#"{"tree":"oak"}"#), try Self.read(#"{"tree":""}"#)]
        let error = #expect(throws: HTTPError.self) { try nests.checked(in: table) }
        #expect(error?.parts.map(\.pointer) == ["/1/tree"])
        #expect(error?.parts.first?.message == "Darf nicht leer sein.")
    }
}
