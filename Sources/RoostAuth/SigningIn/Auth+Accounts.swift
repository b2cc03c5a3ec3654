public import Roost
public import RoostSQL

extension Auth {
    /// Adds an account: from the command line, or where an application lets people sign up. An address that already has
    /// an account is refused before the password is hashed, and so sooner than others.
    /// - Throws: ``InvalidPassword``, ``AccountError``, ``HTTPError`` with 503, any error of the store. If no handler
    ///   catches the first two, the client gets their responses.
    @discardableResult
    public func addAccount(
        email: String, password: String, roles: Set<String> = [], _ request: Request? = nil
    ) async throws -> Account {
        try await addAccount(email, password, roles, request) { email, hash in
            try await accounts.add(email, passwordHash: hash, roles: roles)
        }
    }

    /// Adds an account, and in the same transaction rows of your own that belong to it: both are kept, or neither.
    ///
    ///     try await auth.addAccount(email: email, password: password, request) { account, transaction in
    ///         try await transaction.execute("INSERT INTO members (account, name) VALUES (\(account.id), \(name))")
    ///     }
    ///
    /// It is a ``Database/transaction(isolation:_:)`` of the database with the accounts. An `Auth` with
    /// ``MemoryAccounts`` has none, and throws an error that says so.
    /// - Parameter body: Adds the rows. If it throws, there is no account, and the address is free.
    /// - Throws: What `body` throws, such as the ``DatabaseError`` for a name that is taken; and all that adding an
    ///   account alone may throw.
    @discardableResult
    public func addAccount(
        email: String, password: String, roles: Set<String> = [], _ request: Request? = nil,
        also body: (Account, Transaction) async throws -> Void
    ) async throws -> Account {
        try await addAccount(email, password, roles, request) { email, hash in
            try await accounts.add(email, passwordHash: hash, roles: roles, also: body)
        }
    }

    private func addAccount(
        _ email: String, _ password: String, _ roles: Set<String>, _ request: Request?,
        _ add: (EmailAddress, String) async throws -> Account
    ) async throws -> Account {
        // Before the hash, which takes long: the same link of a mail may come again and again.
        let email = try await newAddress(email, roles)
        let hash = try await passwords.hash(password, of: email.text)
        let account = try await add(email, hash)
        await record(.accountAdded, account.id, request)
        return account
    }

    /// Throws what adding an account would throw because of its address or its roles, before a password is asked for.
    package func checkNew(email: String, roles: Set<String>) async throws {
        _ = try await newAddress(email, roles)
    }

    private func newAddress(_ email: String, _ roles: Set<String>) async throws -> EmailAddress {
        let email = EmailAddress(trimming: email)
        guard email.mayBeAdded else { throw AccountError.notAnAddress(email.text) }
        try Self.check(roles)
        guard try await accounts.account(email: email) == nil else { throw AccountError.exists(email.text) }
        return email
    }

    /// Disables an account, which keeps it from signing in and ends its sessions, or enables it again. While it is
    /// disabled, its API tokens are refused.
    /// - Parameter request: The request that asks for it, whose client the audit log names; nil for the command line.
    public func setDisabled(_ isDisabled: Bool, email: String, _ request: Request? = nil) async throws {
        let account = try await existing(email)
        try await toTheEnd {
            try await accounts.setDisabled(isDisabled, of: account.id)
            if isDisabled { try await sessions.endAll(of: account.owner, except: nil) }
            await record(isDisabled ? .accountDisabled : .accountEnabled, account.id, request)
        }
    }

    /// Replaces the roles of an account. The new roles apply from its next request on.
    /// - Parameter request: The request that asks for it, whose client the audit log names; nil for the command line.
    /// - Throws: ``AccountError``, any error of the store.
    public func setRoles(_ roles: Set<String>, email: String, _ request: Request? = nil) async throws {
        try Self.check(roles)
        let account = try await existing(email)
        try await toTheEnd {
            try await accounts.setRoles(roles, of: account.id)
            await record(.rolesChanged, account.id, request)
        }
    }

    /// Stores keep the roles of an account in one text, so a name must not look like several.
    static func check(_ roles: Set<String>) throws(AccountError) {
        for role in roles where role.isEmpty || !role.utf8.allSatisfy(isOfRole) { throw .notARole(role) }
    }

    private static func isOfRole(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
    }

    /// Gives an account another password without asking for the old one, and ends its sessions.
    /// - Parameter request: The request that asks for it, whose client the audit log names; nil for the command line.
    public func setPassword(_ password: String, email: String, _ request: Request? = nil) async throws {
        let account = try await existing(email)
        let hash = try await passwords.hash(password, of: account.email)
        try await toTheEnd {
            try await accounts.setPasswordHash(hash, of: account.id)
            try await sessions.endAll(of: account.owner, except: nil)
            await record(.passwordChanged, account.id, request)
        }
    }

    /// Changes the password of the visitor's own account. The session continues under a new token, and all others end.
    /// Only this device remains known, and only if the response carries its cookie (``SignIn/response(_:)``).
    /// - Throws: ``HTTPError`` with 401 for a visitor who has not signed in, 422 at `/current` for a wrong password,
    ///   422 at `/new` for one that the policy refuses, 429, 503.
    @discardableResult
    public func changePassword(current: String, new: String, _ request: Request) async throws -> SignIn {
        guard let user = try await request.currentUser, let found = try await accounts.account(id: user.account)
        else {
            throw HTTPError(.unauthorized, headers: challenge)
        }
        do {
            try passwords.policy.check(new, of: found.account.email)
        } catch {
            throw HTTPError(.unprocessableContent, field: "new", error.sentence)
        }
        let device = devices.device(of: request, for: found)
        let attempt = try await begin(EmailAddress(trimming: found.account.email), user.account, device, request)
        guard let stored = try await verified(current, found, attempt) else {
            throw await passwordRefused(user.account, request)
        }
        if let attempt { try await throttle?.succeed(attempt) }
        let changed = StoredAccount(account: stored.account, passwordHash: try await passwords.hash(new))
        try await replacePassword(stored, changed, request)
        let session = try await request.ownedSession
        session.renew()
        confirm(session, for: changed, .sessionRenewed, request)
        return SignIn(account: changed.account, deviceCookie: devices.cookie(device, for: changed, request))
    }

    /// Stores the new hash, and ends all sessions: the visitor's own, too, which begins anew with the response. If they
    /// cannot be ended, the old hash comes back, so that the visitor can try again. If nobody knows whether the new
    /// hash is stored, all sessions end.
    private func replacePassword(_ old: StoredAccount, _ new: StoredAccount, _ request: Request) async throws {
        let account = old.account
        try await toTheEnd {
            do {
                guard try await accounts.replacePasswordHash(old.passwordHash, with: new.passwordHash, of: account.id)
                else { throw await passwordRefused(account.id, request) }
            } catch DatabaseError.outcomeUnknown(let reason) {
                try? await sessions.endAll(of: account.owner, except: nil)
                throw DatabaseError.outcomeUnknown(reason)
            }
            do {
                try await sessions.endAll(of: account.owner, except: nil)
            } catch {
                let isOld = try? await accounts.replacePasswordHash(
                    new.passwordHash, with: old.passwordHash, of: account.id)
                if isOld == true { throw error }
                logger.error("Account \(account.id) has another password, but its sessions have not ended: \(error)")
                await record(.passwordChanged, account.id, request)
                throw HTTPError(
                    .serviceUnavailable,
                    "Your password may be the new one. Sign out everywhere: other devices may still be signed in.")
            }
            await record(.passwordChanged, account.id, request)
        }
    }

    private func passwordRefused(_ account: Int, _ request: Request) async -> HTTPError {
        await record(.passwordRefused, account, request)
        return HTTPError(.unprocessableContent, at: "/current", "This is not your current password")
    }

    /// Returns the account with an address.
    /// - Throws: ``AccountError/missing(_:)``, any error of the store.
    package func existing(_ email: String) async throws -> Account {
        let email = EmailAddress(trimming: email)
        guard let stored = try await accounts.account(email: email) else { throw AccountError.missing(email.text) }
        return stored.account
    }
}
