import RoostSQL
import Testing

@Suite("Joined SQL", .timeLimit(.minutes(5)))
struct SQLJoiningTests {
    @Test func `fragments keep their values, in order`() {
        let conditions: [SQL] = ["age >= \(18)", "name = \("Ada")", "admin"]
        let sql: SQL = "SELECT id FROM users WHERE x = \(1) AND \(SQL.joined(conditions, by: " AND ")) LIMIT \(5)"
        #expect(sql.text == "SELECT id FROM users WHERE x = $1 AND age >= $2 AND name = $3 AND admin LIMIT $4")
        #expect(sql.bindings == [.integer(1), .integer(18), .text("Ada"), .integer(5)])
    }

    @Test func `a separator may have values, too`() {
        let sql = SQL.joined(["a", "b", "c"] as [SQL], by: " || \("-") || ")
        #expect(sql.text == "a || $1 || b || $2 || c" && sql.bindings == [.text("-"), .text("-")])
    }

    @Test func `none are empty, one stands alone, and a comma is the default`() {
        #expect(SQL.joined([SQL]()).text == "")
        #expect(SQL.joined(["a = \(1)"] as [SQL]).text == "a = $1")
        #expect(SQL.joined(["a", "b"].map { SQL("\(identifier: $0)") }).text == "\"a\", \"b\"")
    }

    @Test func `a fragment that cannot be part of another says so when it is run`() async {
        let sql = SQL.joined([SQL(unchecked: "a = $1", bindings: [.integer(1)])])
        let database = Database(CannedDriver(["n"], [[.integer(1)]]))
        await #expect(throws: DatabaseError.self) { try await database.first(sql, as: Int.self) }
    }
}
