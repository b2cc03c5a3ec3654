import Roost

/// `Templates/home.mustache`
struct HomePage: Encodable, Sendable {
    let signedInAs: String?
    let usersURL: String
    let demo: DemoAccount?

    init(_ request: Request, demo: DemoAccount?) {
        signedInAs = request.signedInAs
        usersURL = request.authority + UserController.all.url()
        self.demo = demo
    }
}

/// `Templates/demo.mustache`: the account that development shows how to use.
struct DemoAccount: Encodable, Sendable {
    let email: String
    let password: String
}
