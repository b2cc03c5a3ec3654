package import PatternCore
package import Roost

/// The entry of MVC, as a `SceneDelegate` is on a phone: which controllers there are, and what they are given.
package struct MVCScene: Controller {
    private let authService: any AuthServicing

    package init(authService: any AuthServicing) {
        self.authService = authService
    }

    package func routes(_ routes: Routes) {
        routes.add(LoginController(authService: authService))
        routes.add(LabelController())
        routes.add(DetailController(repository: DetailRepository()))
    }
}
