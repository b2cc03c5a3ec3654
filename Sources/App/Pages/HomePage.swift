import Roost

/// `Templates/home.mustache`
struct HomePage: Encodable, Sendable {
    let signedInAs: String?
    let usersURL: String
    let demo: DemoAccount?

    /// - Parameter siteURL: The URL of the site; never taken from the request, which may claim anything.
    init(_ request: Request, siteURL: String, demo: DemoAccount?) async throws {
        signedInAs = try await request.signedInAs
        usersURL = siteURL + UserController.all.url()
        self.demo = signedInAs == nil ? demo : nil
    }
}

/// `Templates/demo.mustache`: the account that development tells visitors to use.
struct DemoAccount: Encodable, Sendable {
    let email: String
    let password: String
}
