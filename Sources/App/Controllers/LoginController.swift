import Roost
import RoostAuth

/// Signing in and out.
struct LoginController: Controller {
    static let login = Path("/login")
    static let logout = Path("/logout")

    let auth: Auth
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
        let next = SignInInput.localPath(request.query["next"])
        return .view("login", LoginPage(next: next, error: error, demo: demo))
    }

    /// `POST /login`: from the page's form, or as JSON.
    func signIn(_ request: Request) async throws -> Response {
        let input = try request.decode(SignInInput.self)
        do {
            let credentials = try Credentials(email: input.email ?? "", password: input.password ?? "")
            // Before the password is looked at: whoever can read what is on its way must not learn whether it is right.
            guard sessions.isPossible(for: request) else { throw HTTPError(.forbidden, LoginPage.insecure) }
            let email = credentials.email
            let signIn = try await auth.signIn(email: email, password: credentials.password, request)
            guard request.isForm else { return try signIn.response(.json(SignedIn(email: signIn.account.email))) }
            return try signIn.response(.redirect(to: input.localNext ?? AccountController.home.url()))
        } catch let missing as MissingCredentials {
            guard request.isForm else { throw missing.error }
            return page(input, missing.error, missing)
        } catch let error as HTTPError where request.isForm {
            return page(input, error)
        }
    }

    /// `POST /logout`
    func signOut(_ request: Request) async throws -> Response {
        try await auth.signOut(request)
        return request.prefersPage ? .redirect(to: Path("/").url()) : Response(.noContent)
    }

    /// The form again, with what was typed, but for the password.
    private func page(_ input: SignInInput, _ error: HTTPError, _ missing: MissingCredentials? = nil) -> Response {
        let page = LoginPage(
            email: input.email ?? "",
            next: input.localNext,
            error: missing == nil ? error.message : nil,
            missing: missing,
            demo: demo
        )
        return .view("login", page, status: error.status, headers: error.headers)
    }
}

/// The body of the response to a program that has signed in.
private struct SignedIn: Encodable {
    let email: String
}

extension MissingCredentials {
    /// The error for a program.
    fileprivate var error: HTTPError {
        let messages = [emailMessage, passwordMessage].compactMap { $0 }
        var error = HTTPError(.unprocessableContent, messages.joined(separator: ". "))
        let parts = [("/email", emailMessage), ("/password", passwordMessage)]
        error.parts = parts.compactMap { pointer, message in message.map { HTTPError.Part(pointer, $0) } }
        return error
    }
}
