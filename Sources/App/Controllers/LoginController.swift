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
        return .view("login", LoginPage(next: request.query["next"], error: error, demo: demo))
    }

    /// `POST /login`: from the page's form, or as JSON.
    func signIn(_ request: Request) async throws -> Response {
        let refusals: Set<HTTPResponse.Status> = [.unauthorized, .forbidden, .tooManyRequests, .serviceUnavailable]
        return try await request.handleForm(LoginInput.self, showing: InvalidForm.statuses.union(refusals)) { input in
            // Before the password is looked at: whoever can read what is on its way must not learn whether it is right.
            guard sessions.isPossible(for: request) else { throw HTTPError(.forbidden, LoginPage.insecure) }
            let signIn = try await auth.signIn(email: input.email ?? "", password: input.password ?? "", request)
            guard request.isForm else { return try signIn.response(.json(["email": signIn.account.email])) }
            let next = SignInInput.localPath(input.next) ?? AccountController.home.url()
            return try signIn.response(.redirect(to: next))
        } invalid: { form in
            View("login", LoginPage(form, demo: demo))
        }
    }

    /// `POST /logout`
    func signOut(_ request: Request) async throws -> Response {
        try await auth.signOut(request)
        return request.prefersPage ? .redirect(to: Path("/").url()) : Response(.noContent)
    }
}

/// The fields that a client sends to sign in.
private struct LoginInput: Decodable, Validatable {
    var email: String?
    /// Exactly as typed: spaces belong to a password.
    var password: String?
    /// The path to go on to.
    var next: String?

    mutating func validate(_ check: inout Validation) {
        check("email", &email, .trimmed, .required("Email cannot be empty"))
        check("password", &password, .required("Password cannot be empty"))
    }
}
