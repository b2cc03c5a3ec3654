/// Checks who a visitor is.
protocol AuthService: Sendable {
    /// The account with this address and password; nil when there is none.
    func account(email: String, password: String) async throws -> Account?
}

/// The account of development and tests, as the site's own pages show it.
struct DemoAuthService: AuthService {
    static let email = "test@example.com"
    static let password = "123456"

    func account(email: String, password: String) -> Account? {
        let isRight =
            email.utf8.elementsEqual(Self.email.utf8) && password.utf8.elementsEqual(Self.password.utf8)
        return isRight ? Account(email: email) : nil
    }
}

/// Production has no accounts until a service with some takes this one's place.
struct NoAccounts: AuthService {
    func account(email: String, password: String) -> Account? { nil }
}
