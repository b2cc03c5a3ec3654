import PatternCore
import PatternScreens
import Roost

/// The coordinator of the login: it makes the view and its view model, and tells its parent when they have finished.
final class LoginCoordinator: Coordinator {
    static let login = Path("/patterns/mvvm-c/login")

    let navigation: Navigation
    weak let parent: (any Coordinator)?
    var onLoginSuccess: ((User) -> Void)?
    private let authService: any AuthServicing

    init(_ navigation: Navigation, parent: any Coordinator, authService: any AuthServicing) {
        self.navigation = navigation
        self.parent = parent
        self.authService = authService
    }

    func start() -> LoginViewController {
        let viewModel = LoginViewModel(authService: authService)
        viewModel.onLoginSuccess = { [weak self] user in self?.loginSucceeded(user) }
        return LoginViewController(navigation, viewModel: viewModel)
    }

    private func loginSucceeded(_ user: User) {
        trace()
        onLoginSuccess?(user)
    }
}
