import PatternCore
import PatternScreens
import Roost

/// The router, also called wireframe: it makes the five parts of the login and wires them together, and it alone knows
/// where one goes from there.
final class LoginRouter: LoginRouterProtocol {
    static let login = Path("/patterns/viper/login")
    static let home = Path("/patterns/viper/home")

    private let navigation: Navigation

    init(_ navigation: Navigation) {
        self.navigation = navigation
    }

    static func createModule(_ navigation: Navigation) -> LoginViewController {
        let interactor = LoginInteractor(authService: navigation.visitor.authService)
        let presenter = LoginPresenter(interactor: interactor, router: LoginRouter(navigation))
        let view = LoginViewController(presenter: presenter)
        presenter.view = view
        interactor.presenter = presenter
        return navigation.show(view)
    }

    func navigateToHome() {
        trace()
        navigation.go(to: Self.home)
    }

    /// Shows home to those who have signed in, and sends others to the login.
    func presentHome() {
        guard let user = navigation.visitor.authService.user else { return navigation.go(to: Self.login) }
        navigation.show(HomeViewController(user: user))
    }
}
