import Roost

/// Lets only those through who have signed in: a browser is sent to sign in, a program gets 401.
struct RequireSignIn: Middleware {
    /// Whether it guards pages only, so that everybody is sent to sign in.
    var isForPages = false

    func respond(to request: Request, next: Next) async throws -> Response {
        if try await request.signedInAs != nil { return try await next(request) }
        guard isForPages || request.prefersPage else {
            let message = "Sign in first: POST an email and a password to \(LoginController.login.url())."
            throw HTTPError(.unauthorized, message, headers: LoginController.challenge)
        }
        let query: Form = ["next": request.path]
        return .redirect(to: LoginController.login.url() + "?" + query.urlEncoded)
    }
}

extension Request {
    /// The address that the visitor has signed in with; nil when nobody has.
    var signedInAs: String? {
        get async throws { try await session[Session.accountKey] }
    }
}

extension Session {
    fileprivate static let accountKey = "account"

    /// Remembers who the visitor is, under a new token.
    func signIn(_ account: Account) {
        renew()
        self[Self.accountKey] = account.email
    }
}
