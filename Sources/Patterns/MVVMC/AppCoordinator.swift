import PatternCore
import PatternScreens
import Roost

/// The root coordinator: it decides which flow begins, and what comes after one has finished.
final class AppCoordinator: Coordinator {
    static let home = Path("/patterns/mvvm-c/home")

    let navigation: Navigation
    let parent: (any Coordinator)? = nil
    /// The flow that is under way: nobody else keeps its coordinator alive. On a phone it ends when the flow does; here
    /// it ends with the request, as its parent does.
    private var child: (any Coordinator)?

    init(_ navigation: Navigation) {
        self.navigation = navigation
    }

    /// Begins the login.
    func startLogin() -> LoginViewController {
        let coordinator = LoginCoordinator(navigation, parent: self)
        coordinator.onLoginSuccess = { [weak self] in self?.loginFinished() }
        child = coordinator
        return coordinator.start()
    }

    /// Begins the user's flow, at one of its screens.
    func startUser(screen: Int) -> UserCoordinator {
        let coordinator = UserCoordinator(navigation, parent: self, screen: max(1, screen))
        child = coordinator
        return coordinator
    }

    /// Shows home to those who have signed in, and sends others to the login.
    func startHome() {
        guard let user = navigation.visitor.authService.user else { return navigation.go(to: LoginCoordinator.login) }
        navigation.show(HomeViewController(viewModel: HomeViewModel(user: user)))
    }

    private func loginFinished() {
        trace()
        navigation.go(to: Self.home)
    }
}
