package import PatternCore
package import Roost

/// The entry of MVVM: its one feature.
package struct MVVMScene: Controller {
    private let authService: any AuthServicing

    package init(authService: any AuthServicing) {
        self.authService = authService
    }

    package func routes(_ routes: Routes) {
        routes.add(LoginScene(authService: authService))
    }
}
