import RoostSQL
import Testing

@Suite("Names of columns", .timeLimit(.minutes(5)))
struct ColumnNamingTests {
    private struct User: Decodable, Equatable, Sendable {
        let id: Int
        let createdAt: String
        let ownerID: Int
        let line2: String?
    }

    private static func decode(_ columns: [String], _ naming: ColumnNaming) async throws -> User? {
        let driver = CannedDriver(columns, [[.integer(1), .text("now"), .integer(7), .text("x")]])
        return try await Database(driver, configuration: DatabaseConfiguration(columnNames: naming))
            .first("SELECT", as: User.self)
    }

    private static let user = User(id: 1, createdAt: "now", ownerID: 7, line2: "x")

    @Test(arguments: [
        ["id", "created_at", "owner_id", "line2"], ["id", "created_at", "owner_id", "line_2"],
        ["id", "createdAt", "ownerID", "line2"],
    ])
    func `properties find their columns in snake case, by choice`(columns: [String]) async throws {
        #expect(try await Self.decode(columns, .snakeCase) == Self.user)
        if columns[1] == "created_at" {
            await #expect(throws: DatabaseError.self) { try await Self.decode(columns, .unchanged) }
        }
    }

    @Test func `without that choice, the error names it`() async throws {
        let columns = ["id", "created_at", "owner_id", "line2"]
        let error = await #expect(throws: DatabaseError.self) { try await Self.decode(columns, .unchanged) }
        #expect(error?.description.hasSuffix("owner_id, line2 (columnNames: .snakeCase reads created_at)") == true)
    }

    private struct Pair: Decodable, Equatable, Sendable {
        let ownerID: Int
    }

    @Test func `the very name is preferred`() async throws {
        let driver = CannedDriver(["owner_id", "ownerID"], [[.integer(1), .integer(2)]])
        let database = Database(driver, configuration: DatabaseConfiguration(columnNames: .snakeCase))
        #expect(try await database.first("SELECT", as: Pair.self) == Pair(ownerID: 2))
        var rows: [Pair] = []
        for try await row in database.stream("SELECT", as: Pair.self) { rows.append(row) }
        #expect(rows == [Pair(ownerID: 2)])
        #expect(try await database.transaction { try await $0.query("SELECT", as: Pair.self) } == rows)
    }

    @Test(arguments: ["created__at", "CREATED_AT", "createdat", "created-at", "created_a", "created_att"])
    func `other spellings`(column: String) async throws {
        let isFound = column == "created__at" || column == "createdat"
        let user = try? await Self.decode(["id", column, "owner_id", "line2"], .snakeCase)
        #expect((user != nil) == isFound)
    }
}
