public import RoostSQL
import Synchronization

/// A store of API tokens: their hashes and their records.
public protocol TokenStore: Sendable {
    /// Keeps a new token.
    func add(
        hash: String, account: Int, name: String, scopes: Set<String>, made: Int, expires: Int
    ) async throws -> APIToken
    /// Returns the token with a hash; nil when there is none.
    func token(hash: String) async throws -> APIToken?
    /// Returns the tokens of an account, or of all accounts, the newest first: at most ``APIToken/maximumListed``. If
    /// there are more, those that are revoked or expire first are left out.
    func tokens(of account: Int?) async throws -> [APIToken]
    /// Revokes a token of an account, or of any account, for good.
    /// - Returns: The token; nil when there is none with this id, it is another account's, or it was revoked before.
    func revoke(_ id: Int, of account: Int?) async throws -> APIToken?
    /// Records when a token was used. The request with the token waits for this, so it should return without waiting.
    func noteUse(of id: Int, at time: Int) async throws
}

extension TokenStore {
    /// Revokes a token, whoever has it, for good.
    /// - Returns: The token; nil when there is none with this id, or it was revoked before.
    package func revoke(_ id: Int) async throws -> APIToken? { try await revoke(id, of: nil) }
}

/// A store of API tokens in memory: for one process, until it ends.
package final class MemoryTokens: TokenStore {
    private let tokens = Mutex<[(hash: String, token: APIToken)]>([])

    /// Creates an empty store.
    package init() {}

    /// Keeps a new token.
    package func add(
        hash: String, account: Int, name: String, scopes: Set<String>, made: Int, expires: Int
    ) -> APIToken {
        tokens.withLock { tokens in
            let token = APIToken(
                id: tokens.count + 1, account: account, name: name, scopes: scopes, made: made, expires: expires,
                isRevoked: false, used: nil)
            tokens.append((hash, token))
            return token
        }
    }

    /// Returns the token with a hash.
    package func token(hash: String) -> APIToken? {
        tokens.withLock { $0.first { $0.hash.utf8.elementsEqual(hash.utf8) }?.token }
    }

    /// Returns the tokens of an account, or of all accounts, the newest first.
    package func tokens(of account: Int?) -> [APIToken] {
        tokens.withLock { $0.map(\.token).filter { account == nil || $0.account == account }.reversed() }
    }

    /// Revokes a token of an account, or of any account, for good.
    package func revoke(_ id: Int, of account: Int?) -> APIToken? {
        change(id) { token in
            guard account == nil || token.account == account, !token.isRevoked else { return false }
            token.isRevoked = true
            return true
        }
    }

    /// Notes when a token was used.
    package func noteUse(of id: Int, at time: Int) {
        _ = change(id) { token in
            token.used = time
            return true
        }
    }

    /// Changes a token, and returns it if the body returns true.
    private func change(_ id: Int, _ body: (inout APIToken) -> Bool) -> APIToken? {
        tokens.withLock { tokens in
            guard let index = tokens.firstIndex(where: { $0.token.id == id }), body(&tokens[index].token)
            else { return nil }
            return tokens[index].token
        }
    }
}

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

    /// Returns the tokens of an account, or of all, the newest first; at most ``APIToken/maximumListed``, of which
    /// those that are revoked or expire first are left out first.
    public func tokens(of account: Int?) async throws -> [APIToken] {
        let condition: SQL = account.map { "WHERE account = \($0)" } ?? ""
        return try await database.queryAll(
            """
            SELECT \(Self.columns) FROM (
                SELECT \(Self.columns) FROM api_tokens \(condition)
                ORDER BY revoked, expires_at DESC, id DESC LIMIT \(APIToken.maximumListed)
            ) AS listed ORDER BY id DESC
            """,
            as: Row.self
        ).map(\.token)
    }

    /// Revokes a token of an account, or of any account, for good.
    public func revoke(_ id: Int, of account: Int?) async throws -> APIToken? {
        let condition: SQL = account.map { "AND account = \($0)" } ?? ""
        return try await database.first(
            """
            UPDATE api_tokens SET revoked = 1 WHERE id = \(id) AND revoked = 0 \(condition)
            RETURNING \(Self.columns)
            """,
            as: Row.self
        )?.token
    }

    /// Records when a token was used. It returns before that is written; if it cannot be, it is dropped.
    public func noteUse(of id: Int, at time: Int) {
        bookkeeping.note("UPDATE api_tokens SET used_at = \(time) WHERE id = \(id)", about: "\(id)")
    }
}
