import Roost

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

    init(
        email: String = "",
        next: String? = nil,
        error: String? = nil,
        missing: MissingCredentials? = nil,
        demo: DemoAccount?
    ) {
        self.email = TypedText.shown(email, upTo: Self.maximumEmailBytes)
        self.next = next
        self.error = error
        emailError = missing?.emailMessage
        passwordError = missing?.passwordMessage
        failed = error != nil || missing != nil
        self.demo = demo
    }
}
