import PatternCore
import PatternScreens
import Roost

/// The coordinator of the login: it makes the view and its view model, and tells its parent when they have finished.
final class LoginCoordinator: Coordinator {
    static let login = Path("/patterns/mvvm-c/login")

    let navigation: Navigation
    weak let parent: (any Coordinator)?
    var onLoginSuccess: (() -> Void)?

    init(_ navigation: Navigation, parent: any Coordinator) {
        self.navigation = navigation
        self.parent = parent
    }

    func start() -> LoginViewController {
        let viewModel = LoginViewModel(authService: navigation.visitor.authService)
        viewModel.onLoginSuccess = { [weak self] in self?.loginSucceeded() }
        return navigation.show(LoginViewController(viewModel: viewModel))
    }

    private func loginSucceeded() {
        trace()
        onLoginSuccess?()
    }
}
