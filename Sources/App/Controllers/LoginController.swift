import Roost

/// Signing in and out.
struct LoginController: Controller {
    static let login = Path("/login")
    static let logout = Path("/logout")

    /// The challenge that a 401 must carry (RFC 9110 §11.6.1): a session's cookie is needed, and here is where to get
    /// it.
    static let challenge: Headers = [.wwwAuthenticate: "Cookie realm=\"Roost\", form-action=\"\(login.url())\""]

    /// The longest path to go on to after signing in, in bytes; the form carries it along.
    private static let maximumNextBytes = 2048

    let auth: any AuthService
    let sessions: Sessions
    let demo: DemoAccount?

    func routes(_ routes: Routes) {
        routes.get(Self.login, use: form)
        routes.post(Self.login, use: signIn)
        routes.post(Self.logout, use: signOut)
    }

    /// `GET /login?next=/users`
    func form(_ request: Request) -> Response {
        let error = sessions.isPossible(for: request) ? nil : LoginPage.insecure
        let next = localPath(request.query["next"])
        return .view("login", LoginPage(next: next, error: error, demo: demo))
    }

    /// `POST /login`: from the page's form, or as JSON.
    func signIn(_ request: Request) async throws -> Response {
        let input = try request.decode(LoginInput.self)
        do {
            let credentials = try Credentials(email: input.email ?? "", password: input.password ?? "")
            let account = try await account(credentials, request)
            try await request.session.signIn(account)
            if !request.isForm { return .json(SignedIn(email: account.email)) }
        } catch let missing as MissingCredentials {
            return try refuse(request, input, .unprocessableContent, missing: missing)
        } catch let refusal as Refusal {
            return try refuse(request, input, refusal.status, refusal.message)
        }
        return .redirect(to: localPath(input.next) ?? AccountController.home.url())
    }

    /// `POST /logout`
    func signOut(_ request: Request) async throws -> Response {
        try await request.session.end()
        return request.prefersPage ? .redirect(to: Path("/").url()) : Response(.noContent)
    }

    private func account(_ credentials: Credentials, _ request: Request) async throws -> Account {
        guard let account = try await auth.account(email: credentials.email, password: credentials.password) else {
            throw Refusal(status: .unauthorized, message: "Invalid email or password")
        }
        guard sessions.isPossible(for: request) else {
            throw Refusal(status: .forbidden, message: LoginPage.insecure)
        }
        return account
    }

    /// Refuses to sign in: a form comes back with its messages, a program gets problem details.
    private func refuse(
        _ request: Request,
        _ input: LoginInput,
        _ status: HTTPResponse.Status,
        _ message: String? = nil,
        missing: MissingCredentials? = nil
    ) throws -> Response {
        let headers = status == .unauthorized ? Self.challenge : [:]
        guard request.isForm else {
            let messages = [missing?.emailMessage, missing?.passwordMessage, message].compactMap { $0 }
            var error = HTTPError(status, messages.joined(separator: ". "), headers: headers)
            let parts = [("/email", missing?.emailMessage), ("/password", missing?.passwordMessage)]
            error.parts = parts.compactMap { pointer, message in message.map { HTTPError.Part(pointer, $0) } }
            throw error
        }
        let page = LoginPage(
            email: input.email ?? "",
            next: localPath(input.next),
            error: message,
            missing: missing,
            demo: demo
        )
        return .view("login", page, status: status, headers: headers)
    }

    /// The path to go on to, if it is a path of this site and no longer than any of them.
    private func localPath(_ text: String?) -> String? {
        guard let text, text.utf8.count <= Self.maximumNextBytes else { return nil }
        return LocalPath(text)?.text
    }
}

/// Why a visitor cannot sign in.
private struct Refusal: Error {
    let status: HTTPResponse.Status
    let message: String
}

/// What a program gets after signing in.
private struct SignedIn: Encodable {
    let email: String
}

/// What a client sends to sign in.
private struct LoginInput: Decodable {
    var email: String?
    var password: String?
    var next: String?
}
