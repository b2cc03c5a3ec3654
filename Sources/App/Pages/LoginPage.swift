import Roost
import RoostAuth

/// `Templates/login.mustache`
struct LoginPage: Encodable, Sendable {
    /// The message that says why nobody can sign in where a session's cookie could be intercepted.
    static let insecure =
        "Signing in needs HTTPS here. If you run this site, set PUBLIC_URL to its https: address."

    static let fields = FieldSet(
        .text(
            "email", "Email", type: "email", bytes: 254,  // RFC 5321 §4.5.3.1.3
            [
                "inputmode": "email", "autocomplete": "username", "autocapitalize": "none", "spellcheck": "false",
            ]),
        .password("password", "Password", ["autocomplete": "current-password"]))

    var fields = Self.fields
    /// The path to go on to.
    let next: String?
    let demo: DemoAccount?

    init(next: String? = nil, error: String? = nil, demo: DemoAccount?) {
        self.next = SignInInput.localPath(next)
        self.demo = demo
        fields.error = error
    }

    /// The form again, with what was typed, but for the password.
    init(_ form: InvalidForm, demo: DemoAccount?) {
        self.init(next: form["next"], demo: demo)
        fields = Self.fields.typed(form)
    }
}

/// `Templates/home.mustache`
struct HomePage: Encodable, Sendable {
    let usersURL: String
    let demo: DemoAccount?

    /// - Parameter siteURL: The URL of the site; at most its port is the request's, which may claim anything.
    init(siteURL: String, demo: DemoAccount?) {
        usersURL = siteURL + UserController.paths.all.url()
        self.demo = demo
    }
}

/// `Templates/demo.mustache`: the account that development tells visitors to use.
struct DemoAccount: Encodable, Sendable {
    let email: String
    let password: String
}
