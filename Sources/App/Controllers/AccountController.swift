import Roost

/// The page of a visitor who has signed in.
struct AccountController: Controller {
    static let home = Path("/home")

    func routes(_ routes: Routes) {
        routes.group(middleware: [RequireSignIn(isForPages: true)]) { routes in
            routes.get(Self.home, use: home)
        }
    }

    /// `GET /home`
    func home(_ request: Request) async throws -> some ResponseConvertible {
        View("account", try await AccountPage(signedInAs: request.signedInAs))
    }
}
