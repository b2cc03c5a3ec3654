import Roost

/// Lets only visitors pass who have signed in: a browser is sent to the sign-in page, a program gets 401.
struct RequireSignIn: Middleware {
    /// Whether it guards only pages, so that programs are sent to the sign-in page too.
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
    /// The email address that the visitor has signed in with; nil when the visitor has not.
    var signedInAs: String? {
        get async throws { try await session[Session.accountKey] }
    }
}

extension Session {
    fileprivate static let accountKey = "account"

    /// Remembers the visitor's account, under a new token.
    func signIn(_ account: Account) {
        renew()
        self[Self.accountKey] = account.email
    }
}
