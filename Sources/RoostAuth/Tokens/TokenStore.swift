/// A store of API tokens: their hashes, and what they may do.
public protocol TokenStore: Sendable {
    /// Keeps a new token.
    func add(
        hash: String, account: Int, name: String, scopes: Set<String>, made: Int, expires: Int
    ) async throws -> APIToken
    /// The token with a hash; nil when there is none.
    func token(hash: String) async throws -> APIToken?
    /// The tokens of an account, or of all, the newest first; at most 1,000.
    func tokens(of account: Int?) async throws -> [APIToken]
    /// Revokes a token for good.
    /// - Returns: The token; nil when there is none with this id, or it was revoked before.
    func revoke(_ id: Int) async throws -> APIToken?
    /// Notes when a token was used. A request that comes with the token waits for this, so a store should not wait for
    /// anything here.
    func noteUse(of id: Int, at time: Int) async throws
}
