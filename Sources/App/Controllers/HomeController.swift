import Roost

/// The front page.
struct HomeController: Controller {
    let siteURL: @Sendable () -> String
    let demo: DemoAccount?

    func routes(_ routes: Routes) {
        routes.get(Path("/"), use: index)
    }

    /// `GET /`
    func index(_ request: Request) -> some ResponseConvertible {
        View("home", HomePage(siteURL: siteURL(), demo: demo))
    }
}
