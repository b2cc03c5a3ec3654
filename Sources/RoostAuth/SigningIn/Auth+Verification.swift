import Roost

// Hashing a password takes its time, and longer when many sign in. Meanwhile the password may be changed, or the
// account disabled, by somebody who then ends all sessions. So the account is read again after the comparison, and once
// more after the new session has been stored: whichever comes first, no session outlives what it began with.

extension Auth {
    /// The most times that a password is compared when others keep changing the account; then it counts as wrong.
    private static let maximumComparisons = 3

    /// The account as it is stored, if it can sign in with a password and nothing has changed during the comparison.
    ///
    /// If hashing is worth more today, the hash is replaced. If no password was compared, because too many people sign
    /// in, or the accounts cannot be read or written, the attempt does not count.
    /// - Parameter found: The account with the address that was typed; nil if there is none, which takes as much work.
    func verified(
        _ password: String, _ found: StoredAccount?, _ attempt: Throttle.Attempt?
    ) async throws -> StoredAccount? {
        do {
            return try await verified(password, found)
        } catch {
            if let attempt { try? await throttle?.withdraw(attempt) }
            throw error
        }
    }

    private func verified(_ password: String, _ found: StoredAccount?) async throws -> StoredAccount? {
        var found = found
        for _ in 0..<Self.maximumComparisons {
            let hash = found.flatMap { $0.account.isDisabled ? nil : $0.passwordHash }
            if let hash, let id = found?.account.id, passwords.isTooCostly(hash) {
                logger.error(
                    """
                    The account \(id) cannot sign in: its password hash asks for far more work than a new one. Give \
                    the account a new password.
                    """)
            }
            let comparison = try await passwords.compare(password, with: hash)
            guard comparison != .different, let stored = found else { return nil }
            if case .outdated(let new) = comparison,
                try await accounts.replacePasswordHash(stored.passwordHash, with: new, of: stored.account.id)
            {
                return StoredAccount(account: stored.account, passwordHash: new)
            }
            found = try await accounts.account(id: stored.account.id)
            if Self.isUnchanged(stored, found) { return stored }
        }
        return nil
    }

    /// Has the session begin only if the account is still the same when the session has been stored.
    /// - Parameter kind: The event of a session that begins. It is recorded last, so that whoever is told of it finds
    ///   the session.
    func confirm(_ session: Session, for stored: StoredAccount, _ kind: AuditEvent.Kind, _ request: Request) {
        // Made here: the request has the session, so a closure in the session that has the request would keep both, and
        // the password, for ever.
        let begun = event(kind, stored.account.id, request)
        let failed = event(.signInFailed, stored.account.id, request)
        session.confirm {
            guard Self.isUnchanged(stored, try await accounts.account(id: stored.account.id)) else {
                await record(failed)
                throw SignInRefused.wrong(challenge)
            }
            await record(begun)
        }
    }

    private static func isUnchanged(_ stored: StoredAccount, _ now: StoredAccount?) -> Bool {
        guard let now, !now.account.isDisabled else { return false }
        return now.passwordHash.utf8.elementsEqual(stored.passwordHash.utf8)
    }
}
