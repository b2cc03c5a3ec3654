import FoundationEssentials
import Roost
import Testing

@testable import RoostSQL

@Suite("Rows as values", .timeLimit(.minutes(5)))
struct RowDecoderTests {
    private struct Everything: Codable, Equatable, Sendable {
        enum Role: String, Codable { case editor }
        enum CodingKeys: String, CodingKey {
            case number, small, real, text, flag, bytes, date, id, role, missing
            case renamed = "other_name"
        }
        var number: Int
        var small: UInt8
        var real: Double
        var text: String
        var flag: Bool
        var bytes: [UInt8]
        var date: Date
        var id: UUID
        var role: Role
        var missing: String?
        var renamed: Int?
    }

    private static let columns = [
        "unused", "number", "small", "real", "text", "flag", "bytes", "date", "id", "role", "missing", "other_name",
    ]

    private static let values: [SQLValue] = [
        .null, .integer(-5), .integer(255), .real(1.5), .text("é"), .integer(1), .blob([1, 2]),
        .text("2026-11-21 10:50:01.250000Z"), .text("e621e1f8-c36c-495a-93fc-0c247a3e6e5f"), .text("editor"), .null,
        .integer(7),
    ]

    private static func decode<Row: Decodable & Sendable>(
        _ type: Row.Type,
        _ columns: [String],
        _ values: [SQLValue]
    ) async throws -> Row? {
        try await Database(CannedDriver(columns, [values])).first("SELECT", as: type)
    }

    @Test func `columns go to the properties of their names`() async throws {
        let row = try #require(await Self.decode(Everything.self, Self.columns, Self.values))
        #expect(
            row
                == Everything(
                    number: -5,
                    small: 255,
                    real: 1.5,
                    text: "é",
                    flag: true,
                    bytes: [1, 2],
                    date: Date(timeIntervalSince1970: 1_795_258_201.25),
                    id: try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
                    role: .editor,
                    missing: nil,
                    renamed: 7
                )
        )
    }

    @Test func `a type that is one value is the first column`() async throws {
        #expect(try await Self.decode(Int.self, ["n"], [.integer(3)]) == 3)
        #expect(try await Self.decode(String.self, ["n"], [.text("x")]) == "x")
        #expect(try await Self.decode([UInt8].self, ["n"], [.blob([9])]) == [9])
        #expect(try await Self.decode(Date.self, ["n"], [.text("1970-01-01 00:00:01Z")])?.timeIntervalSince1970 == 1)
        #expect(try await Self.decode(Everything.Role.self, ["n"], [.text("editor")]) == .editor)
        #expect(try await Self.decode(Int?.self, ["n"], [.null]) == .some(nil))
        #expect(try await Self.decode(Int?.self, ["n"], [.integer(3)]) == 3)
        #expect(try await Self.decode(Date?.self, ["n"], [.text("1970-01-01 00:00:01Z")])??.timeIntervalSince1970 == 1)
        #expect(try await Database(CannedDriver(["n"], [])).first("SELECT", as: Int?.self) == nil)
    }

    /// Which value replaces which, and what the error says.
    @Test(arguments: [
        (1, SQLValue.text("x"), "number", "it is TEXT, but Int is expected."),
        (1, .null, "number", "it is NULL, but Int is expected."),
        (2, .integer(256), "small", "it is 256, which does not fit into UInt8."),
        (2, .integer(.min), "small", "it is -9223372036854775808, which does not fit into UInt8."),
        (4, .integer(1), "text", "it is INTEGER, but String is expected."),
        (5, .integer(2), "flag", "it is INTEGER, but Bool is expected."),
        (7, .text("yesterday"), "date", "its text is not a date."),
        (8, .text("1"), "id", "its text is not a UUID."),
        (11, .text("1"), "other_name", "it is TEXT, but Int is expected."),
    ])
    func `an error names the column`(index: Int, value: SQLValue, name: String, reason: String) async {
        var values = Self.values
        values[index] = value
        await #expect(throws: DatabaseError.column(name, reason: reason)) {
            try await Self.decode(Everything.self, Self.columns, values)
        }
    }

    @Test func `a missing column is named with those that are there`() async {
        struct User: Decodable, Sendable { let id: Int, name: String }
        let error = DatabaseError.column("name", reason: "the result has no such column; it has: id, title")
        await #expect(throws: error) { try await Self.decode(User.self, ["id", "title"], [.integer(1), .null]) }
    }

    @Test func `a row without columns is an error`() async {
        let error = DatabaseError.column("1", reason: "the result has no columns.")
        await #expect(throws: error) { try await Self.decode(Int.self, [], []) }
        await #expect(throws: error) { try await Self.decode(Int?.self, [], []) }
        await #expect(throws: error) { try await Self.decode(Date.self, [], []) }
    }

    @Test func `a number that is too large for a type is an error`() async throws {
        #expect(try await Self.decode(Float.self, ["n"], [.real(1.5)]) == 1.5)
        #expect(try await Self.decode(Float.self, ["n"], [.real(-.infinity)]) == -.infinity)
        await #expect(throws: DatabaseError.column("n", reason: "it is 1e+300, which does not fit into Float.")) {
            try await Self.decode(Float.self, ["n"], [.real(1e300)])
        }
    }

    @Test func `a column has no parts`() async {
        struct Inner: Decodable, Sendable { let x: Int }
        struct Outer: Decodable, Sendable { let inner: Inner }
        await #expect(throws: DatabaseError.column("inner", reason: "a column is one value and has no parts.")) {
            try await Self.decode(Outer.self, ["inner"], [.integer(1)])
        }
        await #expect(throws: DatabaseError.self) { try await Self.decode([Int].self, ["n"], [.integer(1)]) }
    }

    @Test func `bytes can be Data`() async throws {
        struct Photo: Decodable, Equatable, Sendable { let data: Data, small: Data? }
        let photo = try await Self.decode(Photo.self, ["data", "small"], [.blob([1, 2]), .null])
        #expect(photo == Photo(data: Data([1, 2]), small: nil))
        #expect(try await Self.decode(Data.self, ["n"], [.blob([9])]) == Data([9]))
        await #expect(throws: DatabaseError.column("n", reason: "it is TEXT, but Data is expected.")) {
            try await Self.decode(Data.self, ["n"], [.text("x")])
        }
        #expect(Data([1, 2]).sqlValue == .blob([1, 2]))
    }

    @Test func `for a type that no column has, the error says what to read`() async {
        struct Link: Decodable, Sendable { let url: URL? }
        struct Price: Decodable, Sendable { let price: Decimal }
        struct Scores: Decodable, Sendable { let scores: [Int] }
        let url = DatabaseError.column("url", reason: "a column is never URL: read a String, and make it of that.")
        await #expect(throws: url) { try await Self.decode(Link.self, ["url"], [.text("/")]) }
        await #expect(throws: url) { try await Self.decode(URL.self, ["url"], [.text("/")]) }
        let price = DatabaseError.column(
            "price", reason: "a column is never Decimal: read a String, and make it of that.")
        await #expect(throws: price) { try await Self.decode(Price.self, ["price"], [.text("1.5")]) }
        await #expect(throws: price) { try await Self.decode(Decimal.self, ["price"], [.text("1.5")]) }
        let scores = DatabaseError.column(
            "scores", reason: "a column is one value and no array, except for [UInt8].")
        await #expect(throws: scores) { try await Self.decode(Scores.self, ["scores"], [.text("[1]")]) }
    }

    @Test func `the error for a day that is read as a time says what to read`() async throws {
        let reason = "its text is not a date. It is a day: read it as a LocalDate."
        await #expect(throws: DatabaseError.column("n", reason: reason)) {
            try await Self.decode(Date.self, ["n"], [.text("2026-11-21")])
        }
        #expect(try await Self.decode(LocalDate.self, ["n"], [.text("2026-11-21")]) == LocalDate("2026-11-21"))
    }

    @Test func `an error does not show a value that an enumeration does not have, or that is too large`() async {
        enum Role: String, Decodable, Sendable { case editor }
        struct User: Decodable, Sendable { let role: Role }
        let error = DatabaseError.column("role", reason: "it is none of the values of Role.")
        await #expect(throws: error) { try await Self.decode(User.self, ["role"], [.text("king")]) }
        await #expect(throws: DatabaseError.column("1", reason: "it is none of the values of Role.")) {
            try await Self.decode(Role.self, ["role"], [.text("king")])
        }
        let large = DatabaseError.invalidValue("A UInt64 is beyond what a database's integers can hold.")
        #expect(throws: large) { try UInt64.max.sqlValue }
    }

    @Test func `a type's own complaint names the column`() async {
        enum Role: String, Decodable, Sendable { case editor }
        struct User: Decodable, Sendable { let role: Role }
        let error = await #expect(throws: DatabaseError.self) {
            try await Self.decode(User.self, ["role"], [.text("king")])
        }
        guard case .column("role", _) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }
}
