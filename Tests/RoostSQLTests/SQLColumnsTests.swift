import Testing

@testable import RoostSQL

@Suite("Columns whose values are lent", .timeLimit(.minutes(5)))
struct SQLColumnsTests {
    private static let names = ["id", "name", "none", "price", "isOut", "a name of more than fifteen bytes"]
    private static let values: [SQLValue] = [
        .integer(7), .text("Nelson"), .null, .real(1.5), .integer(1), .text("x"),
    ]

    private static func columns() -> SQLColumns { SQLColumns(LentRow(names, values), .unchanged) }

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

    @Test func `texts of every length are themselves`() throws {
        for length in 0...40 {
            for text in [String(repeating: "a", count: length), String(repeating: "é", count: length), "é€😀"] {
                var columns = SQLColumns(LentRow(["text"], [.text(text)]), .unchanged)
                let read: String = try columns.read("text")
                #expect(read == text && Array(read.utf8) == Array(text.utf8) && read.hashValue == text.hashValue)
            }
        }
    }

    @Test func `bytes that are not UTF-8 become replacement characters, as in longer texts`() {
        for length in 1...20 {
            let bytes = Array(repeating: UInt8(ascii: "a"), count: length - 1) + [0xFF]
            let text = bytes.withUnsafeBufferPointer { bytes in
                bytes.baseAddress.map { SQLCell.text($0, count: length).text } ?? ""
            }
            #expect(text == String(decoding: bytes, as: UTF8.self))
        }
    }
}
