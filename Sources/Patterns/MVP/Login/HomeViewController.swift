import PatternCore
import PatternScreens
import Roost

/// The view of the home screen.
final class HomeViewController: HomeView {
    static let path = Path("/patterns/mvp/home")

    private let navigation: Navigation

    init(_ navigation: Navigation) {
        self.navigation = navigation
    }

    func viewDidLoad() {
        HomePresenter(view: self, user: navigation.visitor.user).viewDidLoad()
    }

    func showWelcome(_ text: String) {
        trace()
        navigation.show("home", HomePage(welcome: text))
    }

    func navigateToLogin() {
        trace()
        navigation.go(to: LoginViewController.path)
    }
}
