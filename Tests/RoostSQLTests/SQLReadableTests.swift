import FoundationEssentials
import Testing

@testable import RoostSQL

@Suite("Rows that read themselves", .timeLimit(.minutes(5)))
struct SQLReadableTests {
    private struct Article: SQLReadable, Equatable {
        var id: Int
        var title: String
        var subtitle: String?
        var price: Double
        var isOut: Bool
        var createdAt: Date

        init(reading columns: inout SQLColumns) throws {
            id = try columns.read("id")
            title = try columns.read("title")
            subtitle = try columns.readIfPresent("subtitle")
            price = try columns.read("price")
            isOut = try columns.read("isOut")
            createdAt = try columns.read("createdAt")
        }
    }

    private static let columns = ["id", "title", "subtitle", "price", "isOut", "createdAt"]
    private static let values: [SQLValue] = [
        .integer(7), .text("é"), .null, .real(1.5), .integer(1), .text("2026-11-21 10:50:01.250000Z"),
    ]

    private static func read(_ columns: [String], _ values: [SQLValue], _ naming: ColumnNaming = .unchanged) throws
        -> Article
    {
        var columns = SQLColumns(CannedRow(columns, values), naming)
        return try Article(reading: &columns)
    }

    @Test func `columns are found by name, in any order, as Decodable finds them`() throws {
        let article = try Self.read(Self.columns, Self.values)
        #expect(article.id == 7 && article.title == "é" && article.subtitle == nil && article.price == 1.5)
        #expect(article.isOut && article.createdAt == Date(timeIntervalSince1970: 1_795_258_201.25))
        #expect(try Self.read(Self.columns.reversed(), Self.values.reversed()) == article)
        #expect(try Self.read(["x"] + Self.columns, [.null] + Self.values) == article)
        let decoded = try RowDecoder.decode(Article.self, from: CannedRow(Self.columns, Self.values))
        #expect(decoded == article)
    }

    @Test func `names can be in snake case`() throws {
        let columns = ["id", "title", "subtitle", "price", "is_out", "created_at"]
        #expect(try Self.read(columns, Self.values, .snakeCase) == Self.read(Self.columns, Self.values))
    }

    @Test func `a struct is read from the columns of its name`() throws {
        struct Author: Decodable, Equatable { var name: String }
        var columns = SQLColumns(CannedRow(["id", "author.name"], [.integer(1), .text("Ada")]), .unchanged)
        let ada: Author = try columns.read("author")
        #expect(ada == Author(name: "Ada"))
        var none = SQLColumns(CannedRow(["id", "author.name"], [.integer(1), .null]), .unchanged)
        let author: Author? = try none.readIfPresent("author")
        #expect(author == nil)
    }

    @Test func `a column that is missing, or of another type, is named`() {
        let noTitle = #expect(throws: DatabaseError.self) { try Self.read(["id"], [.integer(1)]) }
        #expect("\(noTitle.map(String.init(describing:)) ?? "")".contains("title"))
        let null = #expect(throws: DatabaseError.self) {
            try Self.read(Self.columns, [.null] + Self.values.dropFirst())
        }
        #expect("\(null.map(String.init(describing:)) ?? "")".contains("it is NULL, but Int is expected"))
    }

    /// A row that says which of its initialisers has made it.
    private struct Place: SQLReadable, Equatable {
        let readsItself: Bool
        init(reading columns: inout SQLColumns) { readsItself = true }
        init(from decoder: any Decoder) { readsItself = false }
    }

    @Test func `a row reads itself on every way to it`() async throws {
        let database = Database(CannedDriver(["n"], [[.integer(1)], [.integer(2)]]))
        var rows = try await database.query("SELECT", as: Place.self)
        rows += try await [database.first("SELECT", as: Place.self)].compactMap { $0 }
        for try await row in database.stream("SELECT", as: Place.self) { rows.append(row) }
        rows += try await database.transaction { transaction in
            let first = try await transaction.first("SELECT", as: Place.self)
            return try await transaction.query("SELECT", as: Place.self) + [first].compactMap { $0 }
        }
        #expect(rows.count == 8 && rows.allSatisfy(\.readsItself))
    }

    @Test func `rows are reduced one by one, as far as they are wanted`() async throws {
        let database = Database(CannedDriver(["n"], (1...9).map { [.integer($0)] }))
        let sum = try await database.read("SELECT", into: 0) { sum, columns in
            sum += try columns.read("n")
            return sum < 6
        }
        #expect(sum == 6)
    }

    @Test func `too many rows are an error, also where they read themselves`() async throws {
        let driver = CannedDriver(Self.columns, [Self.values, Self.values])
        let database = Database(driver, configuration: DatabaseConfiguration(maximumRows: 1))
        await #expect(throws: DatabaseError.tooManyRows(limit: 1)) {
            try await database.query("SELECT", as: Article.self)
        }
    }

    @Test func `in a transaction, a query beside it is refused`() async throws {
        let driver = CannedDriver(Self.columns, [Self.values])
        let database = Database(driver)
        await #expect(throws: DatabaseError.self) {
            try await database.transaction { _ in _ = try await database.first("SELECT", as: Article.self) }
        }
        #expect(driver.events == [.began, .rolledBack])
    }
}
