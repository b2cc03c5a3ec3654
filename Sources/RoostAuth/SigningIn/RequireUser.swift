public import Roost

/// Lets only those pass who have signed in: a browser is sent to the sign-in page, a program gets 401.
struct RequireUser: DescribedMiddleware {
    let auth: Auth
    /// The scope of the API tokens that pass, too; nil for none.
    let scope: String?
    /// The condition that an account must meet to pass; nil for none.
    let allows: (@Sendable (Account) async throws -> Bool)?

    /// A session's cookie or, with a scope, an API token that has it.
    var effects: MiddlewareEffects {
        let cookie = MiddlewareEffects.Credential.cookie(auth.isHTTPS ? "__Host-session" : "session")
        return MiddlewareEffects(credentials: (scope.map { [.bearer(scopes: [$0])] } ?? []) + [cookie])
    }

    /// Lets the request pass, or refuses it.
    /// - Throws: ``HTTPError`` with 401 or 403.
    func respond(to request: Request, next: Next) async throws -> Response {
        guard let user = try await user(request) else {
            guard request.prefersPage, takesSession(request) else { throw unauthorized(request) }
            return .redirect(to: auth.loginPath + "?" + Form([("next", Self.place(request))]).urlEncoded)
        }
        if let allows {
            guard let account = try await auth.enabledAccount(user.account), try await allows(account) else {
                throw HTTPError.notAllowed
            }
        }
        request.log(accountID: user.account)
        var request = request
        request[CurrentUser.Key.self] = user
        var response = try await next(request)
        // Some caches in front, such as nginx's, do not look at `Authorization`. What a session opens says more.
        if user.scopes != nil, !response.headers.contains(.cacheControl) { response.headers[.cacheControl] = "private" }
        return response
    }

    /// The token that a request carries is looked at first, and no cookie makes up for a wrong one: a program that
    /// believes to speak by its token must not speak for whoever has signed in beside it.
    private func user(_ request: Request) async throws -> CurrentUser? {
        guard let text = request.bearerToken else {
            return try await takesSession(request) ? request.currentUser : nil
        }
        guard let (token, account) = try await auth.use(text) else {
            throw HTTPError(
                .unauthorized, "The token is not valid, or not any more.",
                headers: [.wwwAuthenticate: "Bearer realm=\"Roost\", error=\"invalid_token\""])
        }
        if let scope { return try bearer(token, account, scope) }
        // A guard around this one may have let the token pass; here only a session counts.
        var request = request
        request[CurrentUser.Key.self] = nil
        return try await request.currentUser
    }

    /// Whether a session may do: not in an API for tokens alone, which keeps none. A guard that takes no tokens needs
    /// sessions, and the error for a route without them says so.
    private func takesSession(_ request: Request) -> Bool { scope == nil || request.keepsSessions }

    /// Returns the user for whom a token speaks; one without the scope gets 403 (RFC 6750 §3.1).
    private func bearer(_ token: APIToken, _ account: Account, _ scope: String) throws -> CurrentUser {
        guard token.scopes.contains(where: { $0.utf8.elementsEqual(scope.utf8) }) else {
            throw HTTPError(
                .forbidden, Sentence("The token lacks the scope {scope}.", ["scope": scope]),
                headers: [
                    .wwwAuthenticate: "Bearer realm=\"Roost\", error=\"insufficient_scope\", scope=\"\(scope)\""
                ])
        }
        return CurrentUser(account: account.id, email: account.email, scopes: token.scopes)
    }

    /// Returns the error for a request without a user. If it has a token, that is valid, but does not count here.
    private func unauthorized(_ request: Request) -> HTTPError {
        var headers = takesSession(request) ? auth.challenge : [:]
        guard let scope else {
            let path = ["path": auth.loginPath]
            let sentence =
                request.bearerToken != nil
                ? Sentence("This route takes no API tokens: POST an email and a password to {path}.", path)
                : Sentence("Sign in first: POST an email and a password to {path}.", path)
            return HTTPError(.unauthorized, sentence, headers: headers)
        }
        headers.append(.wwwAuthenticate, "Bearer realm=\"Roost\"")
        let sentence = Sentence(
            "Send a token that has the scope {scope}: Authorization: Bearer TOKEN.", ["scope": scope])
        return HTTPError(.unauthorized, sentence, headers: headers)
    }

    /// Returns the path to go on to after signing in: the page that was asked for, or that had the form that was sent.
    private static func place(_ request: Request) -> String {
        guard !request.isSafe else { return LocalPath(request.target)?.text ?? request.path }
        let referer = request.headers[.referer] ?? ""
        for scheme in ["https://", "http://"] {
            let own = scheme + request.authority
            guard referer.utf8.starts(with: own.utf8) else { continue }
            if let path = LocalPath(String(Substring(referer.utf8.dropFirst(own.utf8.count)))) { return path.text }
        }
        return request.path
    }
}

extension RequireUser: CustomStringConvertible {
    /// The name in the list of routes, which tells guards with a condition from the others.
    var description: String { allows == nil ? "RequireUser" : "RequireUser(where: …)" }
}

extension Auth {
    /// Returns middleware that admits only signed-in visitors.
    ///
    ///     routes.group(middleware: [auth.requireUser()]) { … }
    ///     routes.group(middleware: [auth.requireUser(scope: "users:write")]) { … }
    ///     routes.group(middleware: [auth.requireUser { $0.roles.contains("admin") }]) { … }
    ///
    /// A browser is sent to the sign-in page, which then leads back; a program gets 401. A request with
    /// `Authorization: Bearer` and a wrong or missing token gets 401, whatever its cookies say, even on routes that
    /// accept no tokens.
    /// - Parameters:
    ///   - scope: The scope with which a program's API token is admitted, too; nil to admit no tokens.
    ///   - allows: The condition that an account must meet; others get 403. It costs a lookup in the store of accounts.
    public func requireUser(
        scope: String? = nil,
        where allows: (@Sendable (Account) async throws -> Bool)? = nil
    ) -> some Middleware {
        RequireUser(auth: self, scope: scope, allows: allows)
    }

    /// The challenge that a 401 must carry (RFC 9110 §11.6.1): a session's cookie is needed, and here is where to get
    /// it.
    var challenge: Headers { [.wwwAuthenticate: "Cookie realm=\"Roost\", form-action=\"\(loginPath)\""] }
}

extension Request {
    /// The token in `Authorization: Bearer TOKEN` (RFC 6750 §2.1), empty if none follows the scheme's name, which may
    /// be in any case; nil for other schemes, which may be meant for a proxy.
    fileprivate var bearerToken: String? {
        guard let field = headers[.authorization]?.utf8 else { return nil }
        let scheme = field.prefix { $0 != UInt8(ascii: " ") }
        guard scheme.map({ $0 | 0x20 }).elementsEqual("bearer".utf8) else { return nil }
        return String(Substring(field[scheme.endIndex...].drop { $0 == UInt8(ascii: " ") }))
    }
}
