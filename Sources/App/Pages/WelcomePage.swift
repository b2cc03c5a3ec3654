import Roost

/// `Templates/welcome.mustache`
struct WelcomePage: Encodable, Sendable {
    let signedInAs: String?
}
