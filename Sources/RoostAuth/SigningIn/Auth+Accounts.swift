public import Roost

extension Auth {
    /// Adds an account: from the command line, or where an application lets people sign up.
    /// - Throws: ``InvalidPassword``, ``AccountError``, ``HTTPError`` with 503, any error of the store.
    @discardableResult
    public func addAccount(
        email: String, password: String, roles: Set<String> = [], _ request: Request? = nil
    ) async throws -> Account {
        let email = EmailAddress(trimming: email)
        guard email.isPlausible else { throw AccountError.notAnAddress(email.text) }
        let hash = try await passwords.hash(password)
        let account = try await accounts.add(email, passwordHash: hash, roles: roles)
        await record(.accountAdded, account.id, request)
        return account
    }

    /// Keeps an account from signing in and ends its sessions, or lets it sign in again. While it is disabled, its
    /// tokens are refused.
    public func setDisabled(_ isDisabled: Bool, email: String) async throws {
        let account = try await existing(email)
        try await accounts.setDisabled(isDisabled, of: account.id)
        if isDisabled { try await sessions.endAll(of: account.owner, except: nil) }
        await record(isDisabled ? .accountDisabled : .accountEnabled, account.id)
    }

    /// Gives an account another password without asking for the old one, and ends its sessions.
    public func setPassword(_ password: String, email: String) async throws {
        let account = try await existing(email)
        try await accounts.setPasswordHash(try await passwords.hash(password), of: account.id)
        try await sessions.endAll(of: account.owner, except: nil)
        await record(.passwordChanged, account.id)
    }

    /// Changes the password of the visitor's own account. The session goes on under a new token, and all others end.
    /// - Throws: ``HTTPError`` with 401 for a visitor who has not signed in, 422 at `/current` for a wrong password,
    ///   422 at `/new` for one that the policy refuses, 429, 503.
    public func changePassword(current: String, new: String, _ request: Request) async throws {
        guard let user = try await request.currentUser, let stored = try await accounts.account(id: user.account)
        else {
            throw HTTPError(.unauthorized, headers: challenge)
        }
        do {
            try passwords.policy.check(new)
        } catch {
            throw HTTPError(.unprocessableContent, at: "/new", error.message)
        }
        let email = EmailAddress(trimming: stored.account.email)
        let attempt = try await begin(email, devices.device(of: request, for: email), request)
        let comparison = try await counting(attempt) {
            try await passwords.compare(current, with: stored.passwordHash)
        }
        guard comparison != .different else {
            await record(.passwordRefused, user.account, request)
            throw HTTPError(.unprocessableContent, at: "/current", "This is not your current password")
        }
        if let attempt { try await throttle?.succeed(attempt) }
        try await accounts.setPasswordHash(try await passwords.hash(new), of: user.account)
        let session = try await request.session
        try await sessions.endAll(of: stored.account.owner, except: session.id)
        session.renew()
        await record(.passwordChanged, user.account, request)
        await record(.sessionRenewed, user.account, request)
    }

    func existing(_ email: String) async throws -> Account {
        let email = EmailAddress(trimming: email)
        guard let stored = try await accounts.account(email: email) else { throw AccountError.missing(email.text) }
        return stored.account
    }
}
