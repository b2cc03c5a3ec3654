import FoundationEssentials
import Logging
import Roost
import RoostAuth
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@Suite("What is written about signing in", .quietLog, .timeLimit(.minutes(5)))
struct DocumentationTests {
    private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }

    @Test func `the page's programs are compiled`() throws {
        let source = try Self.text("Tests/RoostAuthTests/SignInPageSite.swift")
        let blocks = try Self.text("docs/sign-in.md").split(separator: "```swift\n").dropFirst()
            .compactMap { $0.split(separator: "```").first }
        #expect(blocks.count == 3)
        for block in blocks {
            let indented = block.split(separator: "\n").map { "    \($0)\n" }.joined()
            #expect(source.contains(block) || source.contains(indented), "\(block)")
        }
    }

    @Test func `ten lines sign people in`() async throws {
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:"), logger: .current), logger: .current)
        let key = SigningKey.random()
        let client = TestClient(try makeNestSite(database, key: key), host: "example.com")
        #expect(try await client.get("/me").status == .unauthorized)
        try await Auth(database, key: key, isHTTPS: true).addAccount(
            email: "ann@example.com", password: "correct horse")
        let response = try await client.post("/login", form: ["email": "ann@example.com", "password": "correct horse"])
        #expect(response.headers[.location] == "/me")
        #expect(try await client.get("/me").text == "ann@example.com")
    }

    /// The table of requirements names tests by their names, in backticks after the last bar of a row.
    @Test func `each requirement's tests exist`() throws {
        let rows = try Self.text("Sources/RoostAuth/README.md").split(separator: "\n")
            .filter { row in
                let word = row.dropFirst(2).prefix { $0 != " " }
                return row.hasPrefix("| ") && word.contains(".") && word.allSatisfy { $0.isNumber || $0 == "." }
            }
        #expect(rows.count >= 25)
        var sources = ""
        for folder in ["Tests/RoostAuthTests", "Tests/RoostTests", "Tests/AppTests", "Tests/RoostSQLiteTests"] {
            for name in try FileManager.default.subpathsOfDirectory(atPath: Self.root + "/" + folder)
            where name.hasSuffix(".swift") { sources += try Self.text(folder + "/" + name) }
        }
        for row in rows {
            let cell = row.split(separator: "|").last ?? ""
            let names = cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
            #expect(!names.isEmpty, "\(row)")
            for name in names { #expect(sources.contains("func `\(name)`("), "\(name)") }
        }
    }
}
