import PatternCore
package import Roost

/// The entry of MVC: its controllers. A route leads straight to one.
package struct MVCScene: Controller {
    package init() {}

    package func routes(_ routes: Routes) {
        routes.add(LoginController())
        routes.add(LabelController())
        routes.add(DetailController(repository: DetailRepository()))
    }
}
