import PatternCore
import PatternScreens
import Roost

/// The root coordinator: it decides which flow begins, and what comes after one has finished.
final class AppCoordinator: Coordinator {
    static let home = Path("/patterns/mvvm-c/home")

    let navigation: Navigation
    let parent: (any Coordinator)? = nil
    private let authService: any AuthServicing
    private var childCoordinators: [any Coordinator] = []

    init(_ navigation: Navigation, authService: any AuthServicing) {
        self.navigation = navigation
        self.authService = authService
    }

    /// The root coordinator of a request, which lives as long as that.
    static func root(of navigation: Navigation, _ authService: any AuthServicing) -> AppCoordinator {
        let coordinator = AppCoordinator(navigation, authService: authService)
        navigation.root = coordinator
        return coordinator
    }

    /// Begins the login.
    func startLogin() -> LoginViewController {
        let coordinator = LoginCoordinator(navigation, parent: self, authService: authService)
        coordinator.onLoginSuccess = { [weak self, weak coordinator] user in
            if let coordinator { self?.removeChild(coordinator) }
            self?.loginFinished(user)
        }
        addChild(coordinator)
        return coordinator.start()
    }

    /// Shows home to those who have signed in, and sends others to the login.
    func startHome() {
        guard let user = navigation.visitor.user else { return navigation.go(to: LoginCoordinator.login) }
        HomeViewController(navigation, viewModel: HomeViewModel(user: user)).viewDidLoad()
    }

    private func loginFinished(_ user: User) {
        trace()
        navigation.visitor.user = user
        navigation.go(to: Self.home)
    }

    /// A parent keeps its children alive until they have finished.
    func addChild(_ child: any Coordinator) {
        childCoordinators.append(child)
    }

    private func removeChild(_ child: any Coordinator) {
        childCoordinators.removeAll { $0 === child }
    }
}
