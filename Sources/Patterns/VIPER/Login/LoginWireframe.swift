import PatternCore
import PatternScreens
import Roost

/// The wireframe: it makes the five parts of the login and wires them together.
final class LoginWireframe {
    static let login = Path("/patterns/viper/login")
    static let home = Path("/patterns/viper/home")

    private let navigation: Navigation
    private let authService: any AuthServicing

    init(_ navigation: Navigation, authService: any AuthServicing) {
        self.navigation = navigation
        self.authService = authService
    }

    func createModule() -> LoginViewController {
        let interactor = LoginInteractor(authService: authService)
        let presenter = LoginPresenter(interactor: interactor, router: LoginRouter(navigation))
        let view = LoginViewController(navigation, presenter: presenter)
        presenter.view = view
        interactor.presenter = presenter
        return view
    }
}
