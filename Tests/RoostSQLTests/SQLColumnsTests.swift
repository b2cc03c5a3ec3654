import Testing

@testable import RoostSQL

@Suite("Columns that are read by name", .timeLimit(.minutes(5)))
struct SQLColumnsTests {
    private static let names = ["id", "name", "none", "price", "isOut", "a name of more than fifteen bytes"]
    private static let values: [SQLValue] = [
        .integer(7), .text("Nelson"), .null, .real(1.5), .integer(1), .text("x"),
    ]

    private static func columns() -> SQLColumns { SQLColumns(CannedRow(names, values), .unchanged) }

    @Test func `they are read in order`() throws {
        var columns = Self.columns()
        #expect(try columns.read("id") == 7)
        #expect(try columns.read("name") == "Nelson")
        #expect(try columns.readIfPresent("none") == String?.none)
        #expect(try columns.read("price") == 1.5)
        #expect(try columns.read("isOut") == true)
        #expect(try columns.read("a name of more than fifteen bytes") == "x")
    }

    @Test func `they are read in any order, and again`() throws {
        var columns = Self.columns()
        for _ in 0..<2 {
            #expect(try columns.readIfPresent("name") == String?.some("Nelson"))
            #expect(try columns.readIfPresent("none") == Int?.none)
            #expect(try columns.readIfPresent("id") == Int?.some(7))
            #expect(try columns.readIfPresent("price") == Double?.some(1.5))
        }
    }

    @Test func `a value of another type is an error, and the next column is found`() throws {
        var columns = Self.columns()
        #expect(throws: DatabaseError.self) { let _: String = try columns.read("id") }
        #expect(throws: DatabaseError.self) { let _: Int? = try columns.readIfPresent("name") }
        #expect(throws: DatabaseError.self) { let _: Int = try columns.read("none") }
        #expect(throws: DatabaseError.self) { let _: String = try columns.read("none") }
        #expect(throws: DatabaseError.self) { let _: Int = try columns.read("nothing") }
        #expect(try columns.read("id") == 7)
        #expect(try columns.read("name") == "Nelson")
    }
}
