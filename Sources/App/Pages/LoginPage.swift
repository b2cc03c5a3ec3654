import Roost
import RoostAuth

/// `Templates/login.mustache`
struct LoginPage: Encodable, Sendable {
    /// The message that says why nobody can sign in where a session's cookie could be intercepted.
    static let insecure =
        "Signing in needs HTTPS here. If you run this site, set PUBLIC_URL to its https: address."

    /// The longest email address possible (RFC 5321 §4.5.3.1.3), in bytes.
    static let maximumEmailBytes = 254

    let email: String
    /// The path to go on to.
    let next: String?
    /// The message about the whole form.
    let error: String?
    let emailError: String?
    let passwordError: String?
    let failed: Bool
    let demo: DemoAccount?

    init(next: String? = nil, error: String? = nil, demo: DemoAccount?) {
        email = ""
        self.next = SignInInput.localPath(next)
        self.error = error
        emailError = nil
        passwordError = nil
        failed = error != nil
        self.demo = demo
    }

    /// The form again, with what was typed, but for the password.
    init(_ form: InvalidForm, demo: DemoAccount?) {
        email = TypedText.shown(form["email"], upTo: Self.maximumEmailBytes)
        next = SignInInput.localPath(form["next"])
        error = form.message
        emailError = form.message(for: "email")
        passwordError = form.message(for: "password")
        failed = true
        self.demo = demo
    }
}
