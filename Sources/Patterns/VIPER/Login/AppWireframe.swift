import PatternCore
import PatternScreens

/// The root wireframe: it decides with which screen one begins.
final class AppWireframe {
    private let navigation: Navigation
    private let authService: any AuthServicing

    init(_ navigation: Navigation, authService: any AuthServicing) {
        self.navigation = navigation
        self.authService = authService
    }

    func presentLogin() -> LoginViewController {
        LoginWireframe(navigation, authService: authService).createModule()
    }

    /// Shows home to those who have signed in, and sends others to the login.
    func presentHome() {
        guard let user = navigation.visitor.user else { return navigation.go(to: LoginWireframe.login) }
        HomeViewController(navigation, user: user).viewDidLoad()
    }
}
