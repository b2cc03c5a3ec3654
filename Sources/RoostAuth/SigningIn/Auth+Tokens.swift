import Roost

extension Auth {
    /// Makes an API token for an account. Its text is returned here and never again.
    /// - Parameters:
    ///   - name: The purpose of the token, in its owner's words.
    ///   - scopes: The token's permissions.
    ///   - lifetime: The time after which it expires.
    /// - Throws: ``AccountError/missing(_:)``; any error of the stores.
    public func makeToken(
        email: String, name: String, scopes: Set<String>, lifetime: Duration = .seconds(90 * 24 * 3600)
    ) async throws -> (text: String, token: APIToken) {
        let account = try await existing(email)
        let text = TokenText(prefix: tokenPrefix)
        let token = try await tokens.add(
            hash: text.hash, account: account.id, name: name, scopes: scopes, made: now(),
            expires: now() + lifetime.wholeSeconds)
        await record(.tokenMade, account.id)
        return (text.text, token)
    }

    /// Revokes a token for good.
    /// - Returns: Whether there was one with this id that was not revoked yet.
    public func revokeToken(_ id: Int) async throws -> Bool {
        guard let token = try await tokens.revoke(id) else { return false }
        await record(.tokenRevoked, token.account)
        return true
    }

    /// The token with a text and its account; nil when it is not valid, or the account is disabled.
    func use(_ text: String) async throws -> (APIToken, Account)? {
        guard let text = TokenText(text, prefix: tokenPrefix), let token = try await tokens.token(hash: text.hash),
            token.isValid(at: now()), let account = try await accounts.account(id: token.account)?.account,
            !account.isDisabled
        else { return nil }
        if now() - (token.used ?? 0) >= 60 {
            // The token works even if this cannot be written.
            do {
                try await tokens.noteUse(of: token.id, at: now())
            } catch {
                logger.debug("The use of token \(token.id) could not be noted: \(error)")
            }
        }
        return (token, account)
    }
}
