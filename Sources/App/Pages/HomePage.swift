import Roost

/// `Templates/home.mustache`
struct HomePage: Encodable, Sendable {
    let usersURL: String
    let demo: DemoAccount?

    /// - Parameter siteURL: The URL of the site; never taken from the request, which may claim anything.
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
