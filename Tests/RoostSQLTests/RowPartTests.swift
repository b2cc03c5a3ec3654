import RoostSQL
import Testing

@Suite("Parts of a row", .timeLimit(.minutes(5)))
struct RowPartTests {
    private struct Article: Decodable, Equatable, Sendable {
        let title: String
        let author: Author
        let lastEditor: Author?
    }

    private struct Author: Decodable, Equatable, Sendable {
        let name: String
        let homeTown: String?
    }

    private static func decode(
        _ columns: [String], _ values: [SQLValue], _ naming: ColumnNaming = .unchanged
    ) async throws -> Article? {
        let driver = CannedDriver(columns, [values])
        return try await Database(driver, configuration: DatabaseConfiguration(columnNames: naming))
            .first("SELECT", as: Article.self)
    }

    private static let ann = Author(name: "Ann", homeTown: nil)

    @Test func `columns with a dot make a property that is a struct`() async throws {
        let columns = ["title", "author.name", "author.homeTown", "lastEditor.name", "lastEditor.homeTown"]
        let values: [SQLValue] = [.text("Owls"), .text("Ann"), .null, .text("Bob"), .text("Ulm")]
        let bob = Author(name: "Bob", homeTown: "Ulm")
        #expect(try await Self.decode(columns, values) == Article(title: "Owls", author: Self.ann, lastEditor: bob))
    }

    @Test func `a join that finds nothing is nil`() async throws {
        let columns = ["title", "author.name", "last_editor.name", "last_editor.home_town"]
        let values: [SQLValue] = [.text("Owls"), .text("Ann"), .null, .null]
        let article = Article(title: "Owls", author: Self.ann, lastEditor: nil)
        #expect(try await Self.decode(columns, values, .snakeCase) == article)
        #expect(try await Self.decode(["title", "author.name"], [.text("Owls"), .text("Ann")]) == article)
    }

    @Test func `what is missing is named`() async throws {
        await #expect(throws: DatabaseError.self) { try await Self.decode(["title"], [.text("Owls")]) }
        await #expect(throws: DatabaseError.self) {
            try await Self.decode(["title", "author.town"], [.text("Owls"), .text("Ulm")])
        }
    }
}
