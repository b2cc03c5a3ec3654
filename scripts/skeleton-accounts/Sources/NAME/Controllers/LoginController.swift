import Roost
import RoostAuth

/// Signing in and out.
struct LoginController: Controller {
    static let login = Path("/login")
    static let logout = Path("/logout")

    let auth: Auth
    let sessions: Sessions

    func routes(_ routes: Routes) {
        routes.get(Self.login, use: form)
        routes.post(Self.login, use: signIn)
        routes.post(Self.logout, use: signOut)
    }

    /// `GET /login?next=/notes`
    func form(_ request: Request) -> Response {
        let message = sessions.isPossible(for: request) ? nil : request.messages.text(LoginPage.insecure)
        return .view("login", LoginPage(next: request.query["next"], message: message))
    }

    /// `POST /login`: from the page's form, or as JSON.
    func signIn(_ request: Request) async throws -> Response {
        let refusals = InvalidForm.statuses.union([.unauthorized, .forbidden, .tooManyRequests, .serviceUnavailable])
        return try await request.handleForm(SignInInput.self, showing: refusals) { input in
            // Before the password is looked at: whoever can read what is on its way must not learn whether it is right.
            guard sessions.isPossible(for: request) else { throw HTTPError(.forbidden, LoginPage.insecure) }
            let signIn = try await auth.signIn(input, request)
            guard request.isForm else { return try signIn.response(Response(.noContent)) }
            return try signIn.response(.redirect(to: input.localNext ?? NoteController.paths.all.url()))
        } invalid: { form in
            View("login", LoginPage(form))
        }
    }

    /// `POST /logout`
    func signOut(_ request: Request) async throws -> Response {
        try await auth.signOut(request)
        return .redirect(to: NoteController.paths.all.url())
    }
}

/// The values of the page to sign in.
struct LoginPage: Encodable {
    /// The message that says why nobody can sign in where a session's cookie could be intercepted.
    static let insecure =
        "Signing in needs HTTPS here. If you run this site, set PUBLIC_URL to its https: address."

    static let fields = FieldSet(
        .text("email", "Email", type: "email", ["autocomplete": "username"]).required,
        .password("password", "Password", ["autocomplete": "current-password"]).required)
+LANGUAGES
+LANGUAGES    /// The texts of this page that stand in no template.
+LANGUAGES    static let texts = fields.texts + [insecure]

    var fields = Self.fields
    /// The address to go on to.
    var next: String?

    init(next: String?, message: String? = nil) {
        self.next = SignInInput.localPath(next)
        fields.error = message
    }

    init(_ form: InvalidForm) {
        self.init(next: form["next"])
        fields = Self.fields.typed(form)
    }
}
