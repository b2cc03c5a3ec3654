import PatternCore
import PatternScreens

/// The router: it alone knows where one goes from the login.
final class LoginRouter: LoginRouterProtocol {
    private let navigation: Navigation

    init(_ navigation: Navigation) {
        self.navigation = navigation
    }

    func navigateToHome(user: User) {
        trace()
        navigation.visitor.user = user
        navigation.go(to: LoginWireframe.home)
    }
}
