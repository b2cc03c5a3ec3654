import Synchronization

/// Keeps API tokens in memory: for one process, until it ends.
public final class MemoryTokens: TokenStore {
    private let tokens = Mutex<[(hash: String, token: APIToken)]>([])

    /// A store without tokens.
    public init() {}

    /// Keeps a new token.
    public func add(
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

    /// The token with a hash.
    public func token(hash: String) -> APIToken? {
        tokens.withLock { $0.first { $0.hash.utf8.elementsEqual(hash.utf8) }?.token }
    }

    /// The tokens of an account, or of all, the newest first.
    public func tokens(of account: Int?) -> [APIToken] {
        tokens.withLock { $0.map(\.token).filter { account == nil || $0.account == account }.reversed() }
    }

    /// Revokes a token for good.
    public func revoke(_ id: Int) -> APIToken? {
        change(id) { $0.isRevoked ? nil : $0.changed(isRevoked: true, used: $0.used) }
    }

    /// Notes when a token was used.
    public func noteUse(of id: Int, at time: Int) {
        _ = change(id) { $0.changed(isRevoked: $0.isRevoked, used: time) }
    }

    private func change(_ id: Int, _ body: (APIToken) -> APIToken?) -> APIToken? {
        tokens.withLock { tokens in
            guard let index = tokens.firstIndex(where: { $0.token.id == id }), let new = body(tokens[index].token)
            else { return nil }
            tokens[index].token = new
            return new
        }
    }
}

extension APIToken {
    fileprivate func changed(isRevoked: Bool, used: Int?) -> APIToken {
        APIToken(
            id: id, account: account, name: name, scopes: scopes, made: made, expires: expires, isRevoked: isRevoked,
            used: used)
    }
}
