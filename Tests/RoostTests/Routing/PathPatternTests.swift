import Logging
import Roost
import RoostTesting
import Testing

@Suite("Wrong patterns", .timeLimit(.minutes(5)))
struct PathPatternTests {
    @Test(arguments: [
        ("users", "write Path(\"/users\")"),
        ("users/new", "write Path(\"/users/new\")"),
        ("", "does not begin with a slash"),
        ("/users//new", "empty segment"),
        ("/users/../new", "dot segment"),
        ("/users/{id", "{ without a }"),
        ("/users/id}", "} without a {"),
        ("/users/{id}", "Path(\"/users/{id}\", Int.self)"),
        ("/users/{}", "without a name"),
        ("/users/{a}-{b}", "two parameters in one segment"),
    ])
    func `one without types`(pattern: String, words: String) throws {
        try expectMistake(words) { $0.get(Path(pattern), file: "One.swift", line: 7) { _ in "" } }
    }

    @Test func `one whose types do not match its parameters`() throws {
        try expectMistake("0 parameters and 1 type") {
            $0.get(Path("/users", Int.self), file: "One.swift", line: 7) { _, _ in "" }
        }
        try expectMistake("two parameters named {id}") {
            $0.get(Path("/{id}/{id}", Int.self, Int.self), file: "One.swift", line: 7) { _, _, _ in "" }
        }
        try expectMistake("takes the rest of the path") {
            $0.get(Path("/{rest}/x", RemainingPath.self), file: "One.swift", line: 7) { _, _ in "" }
        }
    }

    @Test func `one that only makes a mistake with another`() throws {
        try expectMistake("GET /api//users has an empty segment") { routes in
            routes.group(Path("/api/")) { $0.get(Path("/users"), file: "One.swift", line: 7) { _ in "" } }
        }
        let users = Path("/users/")
        try expectMistake("GET /users//new has an empty segment") {
            $0.get(users.appending("/new"), file: "One.swift", line: 7) { _ in "" }
        }
        let file = Path("/files/{file}", RemainingPath.self)
        let data = file.appending("/meta")
        try expectMistake("GET /files/{file}/meta has something after {file}") {
            $0.get(data, file: "One.swift", line: 7) { _, _ in "" }
        }
    }

    @Test func `all mistakes are reported together`() throws {
        try expectMistake("Two routes") { routes in
            routes.get(Path("a"), file: "One.swift", line: 7) { _ in "" }
            routes.get(Path("/b")) { _ in "" }
            routes.get(Path("/b")) { _ in "" }
        }
    }

    private func expectMistake(_ words: String, _ declare: (Routes) -> Void) throws {
        #expect {
            try Application(configuration: ServerConfiguration(), logger: LogLines().logger, routes: declare)
        } throws: { error in
            error is StartError && "\(error)".contains(words) && "\(error)".contains("One.swift:7")
        }
    }
}
