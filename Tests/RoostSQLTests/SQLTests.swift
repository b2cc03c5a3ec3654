import FoundationEssentials
import Roost
import Testing

@testable import RoostSQL

@Suite("SQL text", .timeLimit(.minutes(5)))
struct SQLTests {
    @Test func `a value becomes a placeholder`() {
        let name = "Robert'); DROP TABLE users; --"
        let sql: SQL = "SELECT id FROM users WHERE name = \(name) AND id > \(3)"
        #expect(sql.text == "SELECT id FROM users WHERE name = $1 AND id > $2")
        #expect(sql.bindings == [.text(name), .integer(3)])
    }

    @Test func `a fragment is spliced and renumbered`() {
        let condition: SQL = "name = \("$1") OR name LIKE \("é%")"
        let sql: SQL = "SELECT '$9' FROM users WHERE id = \(7) AND (\(condition)) LIMIT \(5)"
        #expect(sql.text == "SELECT '$9' FROM users WHERE id = $1 AND (name = $2 OR name LIKE $3) LIMIT $4")
        #expect(sql.bindings == [.integer(7), .text("$1"), .text("é%"), .integer(5)])
        let outer: SQL = "é \(sql) \(condition)"
        #expect(outer.text.hasSuffix("LIMIT $4 name = $5 OR name LIKE $6"))
    }

    @Test func `placeholders are numbered, however many there are`() {
        let sql: SQL = "\(list: 1...40)"
        #expect(sql.text == "(" + (1...40).map { "$\($0)" }.joined(separator: ", ") + ")")
        #expect(sql.bindings.count == 40)
    }

    @Test func `two digits of a placeholder are one number`() {
        let many: SQL = "(\(list: Array(1...12)))"
        let sql: SQL = "\(0) \(many)."
        #expect(sql.text == "$1 (($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)).")
        #expect(sql.bindings.count == 13)
    }

    @Test func `placeholders that stand once and in order need no numbers`() {
        let part: SQL = "AND \(SQL.all(["a = \("é")", "b = \("?")"]))"
        let sql: SQL = "é id IN \(list: 1...11) \(part)."
        let list = Array(repeating: "?", count: 11).joined(separator: ", ")
        #expect(sql.unnumberedText == "é id IN (\(list)) AND (a = ?) AND (b = ?).")
        #expect(("SELECT 1" as SQL).unnumberedText == "SELECT 1")
        #expect(("SELECT 'why?', \(1)" as SQL).unnumberedText == nil)
        #expect(SQL(unchecked: "SELECT $2, $1", bindings: [.null, .null]).unnumberedText == nil)
    }

    @Test func `identifiers are quoted, lists are in parentheses, literals are the program's`() {
        let sql: SQL = "\(identifier: "a\"b") IN \(list: ["x", "y"]) \(literal: "DESC")"
        #expect(sql.text == #""a""b" IN ($1, $2) DESC"#)
        let empty: SQL = "id IN \(list: [Int]())"
        #expect(empty.text == "id IN (NULL)")
        #expect(empty.bindings.isEmpty)
    }

    /// To Swift, each of these quotation marks is part of another `Character`.
    @Test(arguments: [
        ("id\"\u{301}, (SELECT 1) --", "\"id\"\"\u{301}, (SELECT 1) --\""), ("\u{600}\"x", "\"\u{600}\"\"x\""),
        ("\"\u{200D}", "\"\"\"\u{200D}\""), ("\"\u{FE0F}\"", "\"\"\"\u{FE0F}\"\"\""), ("", "\"\""),
    ])
    func `a quotation mark in an identifier is doubled, whatever is next to it`(name: String, quoted: String) throws {
        let sql: SQL = "\(identifier: name)"
        #expect(Array(sql.text.utf8) == Array(quoted.utf8))
    }

    @Test func `statements and values are the same when their bytes are`() {
        let (one, other) = ("\u{E9}", "e\u{301}")
        #expect(one == other)
        #expect(SQL(unchecked: one) != SQL(unchecked: other))
        #expect("\(one)" as SQL != "\(other)")
        #expect("\(one)" as SQL == "\(one)")
        #expect(Set([one, other, one].map { SQL(unchecked: $0) }).count == 2)
        #expect(Set([one, other, one].map(SQLValue.text)).count == 2)
        #expect(Set([SQLValue.null, .integer(1), .real(1), .text("1"), .blob([1]), .integer(1)]).count == 5)
        #expect(ExactText("") == ExactText(""))
        #expect(ExactText("K") != ExactText("\u{212A}"))
    }

    @Test func `every type has its value`() throws {
        enum Role: String, SQLConvertible { case editor }
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let sql: SQL = """
            \(true) \(Int8(-1)) \(UInt64(5)) \(1.5) \(Float(0.5)) \("a"[...]) \([UInt8]([1, 2])) \(Int?.none) \(id)
            \(Role.editor) \(Optional("b")) \(SQLValue.null)
            """
        #expect(
            sql.bindings == [
                .integer(1), .integer(-1), .integer(5), .real(1.5), .real(0.5), .text("a"), .blob([1, 2]), .null,
                .text("e621e1f8-c36c-495a-93fc-0c247a3e6e5f"), .text("editor"), .text("b"), .null,
            ]
        )
    }

    @Test(
        arguments: [
            "\(UInt64.max)", "\(Date(timeIntervalSince1970: 1e18))", "\(Date(timeIntervalSince1970: -.infinity))",
            "\(Date(timeIntervalSince1970: .nan))", "x \("\(UInt.max)" as SQL)", "\(identifier: "a\u{0}b")",
            "\(SQL(unchecked: "$1", bindings: [.null]))",
        ] as [SQL])
    func `a value that cannot be bound is an error when it runs, not a crash`(sql: SQL) async {
        let driver = CannedDriver()
        let database = Database(driver)
        await #expect(throws: DatabaseError.self) { try await database.execute(sql) }
        await #expect(throws: DatabaseError.self) { try await database.batch(["SELECT 1", sql]) }
        #expect(driver.events.isEmpty)
    }

    @Test(arguments: [
        ("INSERT INTO a VALUES (1) RETURNING id", true), ("\n update a SET b = 1 RETURNING b", true),
        ("DELETE FROM a RETURNING *", true), ("merge INTO a USING b ON TRUE", true),
        ("/* by Ada */ INSERT INTO a DEFAULT VALUES RETURNING id", true), ("-- x\nDelete FROM a RETURNING b", true),
        ("WITH x AS (DELETE FROM a RETURNING b) SELECT * FROM x", true),
        ("WITH x AS (SELECT 1) SELECT * FROM x", false),
        ("SELECT 1", false), ("SELECT insert FROM a", false), ("DROP TABLE a", false),
        ("EXPLAIN ANALYZE delete FROM a", true), ("EXPLAIN SELECT 1", false), ("", false), ("INSER", false),
    ])
    func `the words of a statement show whether it may change rows`(text: String, changes: Bool) {
        #expect(SQL(unchecked: text).changesRows == changes)
    }

    @Test(arguments: [
        (0, "1970-01-01 00:00:00.000000Z"), (-0.000_001, "1969-12-31 23:59:59.999999Z"),
        (951_782_400, "2000-02-29 00:00:00.000000Z"), (1_795_258_201.25, "2026-11-21 10:50:01.250000Z"),
        (-62_135_596_800, "0001-01-01 00:00:00.000000Z"), (253_402_300_799, "9999-12-31 23:59:59.000000Z"),
    ])
    func `a date can be read back from its text`(seconds: Double, text: String) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(try date.sqlValue == .text(text))
        #expect(DateTime.parse(timestamp: text) == date)
    }

    @Test(arguments: [-62_135_596_801, 253_402_300_800, .infinity, .nan])
    func `a date that no database has`(seconds: Double) {
        #expect(throws: DatabaseError.self) { try Date(timeIntervalSince1970: seconds).sqlValue }
    }

    @Test func `a date does not become one of the year 10000 by rounding`() throws {
        let date = Date(timeIntervalSince1970: (253_402_300_800.0).nextDown)
        #expect("\(try date.sqlValue)".hasPrefix(#"text("9999-12-31 23:59:59.9999"#))
    }

    @Test(arguments: ["9999-12-31 23:59:59.999999+00", "9999-12-31 23:59:59.999999999"])
    func `the last instant that a database has is read, written and found again`(text: String) throws {
        let date = try #require(DateTime.parse(timestamp: text))
        #expect(try date.sqlValue == .text("9999-12-31 23:59:59.999999Z"))
        #expect(Date(cursor: date.cursor) == date)
    }

    @Test func `the error for a date before the year 1 names the one that programs have`() {
        let error = #expect(throws: DatabaseError.self) { try Date.distantPast.sqlValue }
        #expect(String(describing: error).contains("Date.distantPast"))
    }

    @Test(arguments: [
        "2026-11-21T10:50:01Z", "2026-11-21 10:50:01", "2026-11-21 10:50:01+00", "2026-11-21 12:20:01+01:30",
        "2026-11-21 09:20:01.0-0130",
    ])
    func `other spellings of a date`(text: String) {
        #expect(DateTime.parse(timestamp: text)?.timeIntervalSince1970 == 1_795_258_201)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21 10:50", "2026-02-30 00:00:00", "2026-13-01 00:00:00", "2026-11-21 24:00:00",
        "2026-11-21 10:50:01.", "2026-11-21 10:50:01 Z", "2026-11-21 10:50:01ZZ", "２026-11-21 10:50:01",
        "2026-11-21 10:50:01.1234567890", "2026-11-21 10:50:60Z", "2026-11-21 10:50:01+1", "infinity",
    ])
    func `invalid dates`(text: String) {
        #expect(DateTime.parse(timestamp: text) == nil)
    }
}
