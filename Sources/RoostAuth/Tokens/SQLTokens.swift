public import RoostSQL

/// A store of API tokens in a table. ``AuthMigrations`` make the table.
public struct SQLTokens: TokenStore {
    private let database: Database
    let bookkeeping: Bookkeeping

    /// Creates a store in a database.
    public init(_ database: Database) {
        self.database = database
        bookkeeping = Bookkeeping(database)
    }

    private struct Row: Decodable, Sendable {
        let id, account: Int
        let name, scopes: String
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let made_at, expires_at, revoked: Int
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let used_at: Int?

        var token: APIToken {
            APIToken(
                id: id, account: account, name: name,
                scopes: Set(scopes.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }),
                made: made_at, expires: expires_at, isRevoked: revoked != 0, used: used_at)
        }
    }

    private static let columns: SQL = "id, account, name, scopes, made_at, expires_at, revoked, used_at"

    /// Keeps a new token.
    public func add(
        hash: String, account: Int, name: String, scopes: Set<String>, made: Int, expires: Int
    ) async throws -> APIToken {
        let row = try await database.first(
            """
            INSERT INTO api_tokens (token_hash, account, name, scopes, made_at, expires_at)
            VALUES (\(hash), \(account), \(name), \(scopes.sorted().joined(separator: " ")), \(made), \(expires))
            RETURNING \(Self.columns)
            """,
            as: Row.self
        )
        guard let row else { throw DatabaseError.invalidValue("The token was not kept.") }
        return row.token
    }

    /// Returns the token with a hash.
    public func token(hash: String) async throws -> APIToken? {
        try await database.first("SELECT \(Self.columns) FROM api_tokens WHERE token_hash = \(hash)", as: Row.self)?
            .token
    }

    /// Returns the tokens of an account, or of all, the newest first; at most 1,000.
    public func tokens(of account: Int?) async throws -> [APIToken] {
        let condition: SQL = account.map { "WHERE account = \($0)" } ?? ""
        return try await database.query(
            "SELECT \(Self.columns) FROM api_tokens \(condition) ORDER BY id DESC LIMIT 1000", as: Row.self
        ).map(\.token)
    }

    /// Revokes a token for good.
    public func revoke(_ id: Int) async throws -> APIToken? {
        try await database.first(
            "UPDATE api_tokens SET revoked = 1 WHERE id = \(id) AND revoked = 0 RETURNING \(Self.columns)",
            as: Row.self
        )?.token
    }

    /// Notes when a token was used. Nobody waits until that is written; if it cannot be, it is dropped.
    public func noteUse(of id: Int, at time: Int) {
        bookkeeping.note("UPDATE api_tokens SET used_at = \(time) WHERE id = \(id)", about: "\(id)")
    }
}
