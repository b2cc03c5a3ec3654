import Roost

/// `Templates/home.mustache`
struct HomePage: Encodable, Sendable {
    let usersURL: String
    let demo: DemoAccount?

    /// - Parameter siteURL: Where the site is reached; never from the request, which may say anything.
    init(siteURL: String, demo: DemoAccount?) {
        usersURL = siteURL + UserController.all.url()
        self.demo = demo
    }
}

/// `Templates/demo.mustache`: the account that development shows how to use.
struct DemoAccount: Encodable, Sendable {
    let email: String
    let password: String
}
