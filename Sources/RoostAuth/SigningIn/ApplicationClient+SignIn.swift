public import Roost

extension ApplicationClient {
    /// Signs a test's client in to an account without its password and without the sign-in page: the session begins as
    /// at any sign-in, behind the application's middleware.
    ///
    ///     let client = TestClient(try makeApp())
    ///     try await client.signIn(as: "ann@example.com", roles: ["admin"])
    ///
    /// An account that does not exist is added, with these roles and without a password. An existing one keeps its own.
    /// The application's ``Auth`` must be among its services, and its `Sessions` in the middleware of the whole
    /// application.
    /// - Throws: ``AccountError/notAnAddress(_:)``; an error that says what the application lacks, or that shows the
    ///   response when the account is disabled; any error of the stores.
    public func signIn(as email: String, roles: Set<String> = []) async throws {
        guard let auth = service(Auth.self) else { throw NoAuth() }
        try await visit { request in
            let stored = try await auth.account(forTests: email, roles: roles)
            return try await auth.signIn(to: stored, device: nil, request).response(Response(.noContent))
        }
    }
}

extension Auth {
    /// The account with an address, which is added if there is none. Its hash is that of no password.
    fileprivate func account(forTests email: String, roles: Set<String>) async throws -> StoredAccount {
        let email = EmailAddress(trimming: email)
        if let stored = try await accounts.account(email: email) { return stored }
        guard email.isPlausible else { throw AccountError.notAnAddress(email.text) }
        try Self.check(roles)
        let account = try await accounts.add(email, passwordHash: "none", roles: roles)
        return StoredAccount(account: account, passwordHash: "none")
    }
}

/// The mistake of a test that signs in to an application without accounts.
private struct NoAuth: Error, CustomStringConvertible {
    var description: String {
        "The application's Auth is none of its services: add it to `services`, after its database."
    }
}
