import Roost
import RoostAuth

/// Signing in and out.
struct LoginController: Controller {
    static let login = Path("/login")
    static let logout = Path("/logout")

    let auth: Auth

    func routes(_ routes: Routes) {
        routes.get(Self.login) { request in View("login", LoginPage(next: request.query["next"])) }
        routes.post(Self.login, use: signIn)
        routes.post(Self.logout, use: signOut)
    }

    /// `POST /login`: from the page's form, or as JSON.
    func signIn(_ request: Request) async throws -> Response {
        let refusals = InvalidForm.statuses.union([.unauthorized, .tooManyRequests, .serviceUnavailable])
        return try await request.handleForm(SignInInput.self, showing: refusals) { input in
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
    static let fields = FieldSet(
        .text("email", "Email", type: "email", ["autocomplete": "username"]).required,
        .password("password", "Password", ["autocomplete": "current-password"]).required)

    var fields = Self.fields
    /// The address to go on to.
    var next: String?
    /// The message about the form as a whole.
    var message: String?

    init(next: String?) { self.next = SignInInput.localPath(next) }

    init(_ form: InvalidForm) {
        self.init(next: form["next"])
        fields = Self.fields.typed(form)
        message = form.message(besides: fields)
    }
}
