import Roost
import RoostAuth
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@testable import RoostAuthCommands
@testable import RoostCommands

@Suite("Options that are repeated", .quietLog, .timeLimit(.minutes(5)))
struct RepeatedOptionTests {
    private struct Members: AccountProgram {
        static let migrations = AuthMigrations.all
        static let tokenScopes = ["read", "write"]

        static func database() -> Database { Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:"))) }

        static func auth(_ database: Database) throws -> Auth { Auth(database, key: .random(), isHTTPS: false) }

        static func application() throws -> Application { try Application { _ in } }
    }

    @Test func `each time counts, as commas do`() throws {
        let roles = try AccountsCommand<Members>.Roles.parse(
            ["ann@example.com", "--add", "admin", "--add", "editor,cook", "--remove", "guest", "--remove", "host"])
        #expect(roles.add.listed == ["admin", "editor", "cook"])
        #expect(roles.remove.listed == ["guest", "host"])
        let account = try AccountsCommand<Members>.Add.parse(
            ["ann@example.com", "--roles", "admin", "--roles", "editor"])
        #expect(account.roles.listed == ["admin", "editor"])
    }

    @Test func `the scopes of a token are the program's only where none are named`() throws {
        func scopes(_ options: [String]) throws -> [String] {
            try TokensCommand<Members>.Add.parse(["ann@example.com"] + options).scopes.listed
        }
        #expect(try scopes([]) == ["read", "write"])
        #expect(try scopes(["--scopes", "a", "--scopes", "b"]) == ["a", "b"])
        #expect(try scopes(["--scopes", ""]) == [])
    }
}
